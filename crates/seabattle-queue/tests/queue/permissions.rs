//! The permissions in `docs/tournament.md` are enough for both roles, and no more.

use std::time::Duration;

use async_nats::ConnectOptions;
use async_nats::jetstream::context::ContextBuilder;
use seabattle_queue::{ExitReason, Version};

use crate::nats::Nats;
use crate::runs::{Reports, collect_by, coordinator_at, expected, options, twice, version, worker_at};

const PAGE: &str = include_str!("../../../../docs/tournament.md");
/// Passwords of the page.
const COORDINATOR: (&str, &str) = ("coordinator", "change-this");
const WORKER: (&str, &str) = ("worker", "change-this-too");

fn server() -> Nats {
    let config = PAGE.split("```nats\n").nth(1).unwrap().split("```").next().unwrap();
    Nats::configured(config)
}

#[test]
fn both_roles_work_with_the_permissions_of_the_page() {
    let nats = server();
    let coordinator = coordinator_at(&nats.options_as(COORDINATOR.0, COORDINATOR.1), options()).unwrap();
    let connection = nats.options_as(WORKER.0, WORKER.1);
    let own = worker_at(&connection, "own", version(), twice);
    let failing = worker_at(&connection, "failing", version(), |_| Err("no hands".to_owned()));
    let old = worker_at(&connection, "old", Version::new("0"), twice);
    let reports = Reports::default();
    for run in ["first", "second"] {
        assert_eq!(collect_by(&coordinator, run, 300, &reports).unwrap(), expected(300));
    }
    // Failures, the status and orders pass too, but need not arrive before all is done.
    let mut number = 0;
    while reports.failures.lock().unwrap().is_empty() || reports.rejected_versions.lock().unwrap().is_empty() {
        number += 1;
        assert!(number < 2000, "neither a failure nor a refusal arrives");
        collect_by(&coordinator, &format!("more-{number}"), 20, &reports).unwrap();
    }
    assert!(matches!(old.leave(), ExitReason::Rejected(reason) if reason.contains("version 0")));
    drop(failing);
    own.stop();
}

#[test]
fn a_worker_user_cannot_do_what_only_a_coordinator_may() {
    let nats = server();
    let coordinator = coordinator_at(&nats.options_as(COORDINATOR.0, COORDINATOR.1), options()).unwrap();
    let connection = nats.options_as(WORKER.0, WORKER.1);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (sender, mut violations) = tokio::sync::mpsc::unbounded_channel();
    runtime.block_on(async {
        let options = ConnectOptions::with_user_and_password(WORKER.0.to_owned(), WORKER.1.to_owned());
        let options = options.custom_inbox_prefix("_INBOX.worker").event_callback(move |event| {
            let sender = sender.clone();
            async move { sender.send(event.to_string()).unwrap_or_default() }
        });
        let client = options.connect(connection.url).await.unwrap();
        for subject in [
            "seabattle.jobs.1.run.5",
            "seabattle.orders.abc",
            "$JS.API.STREAM.PURGE.SEABATTLE_RESULTS",
            "$JS.API.STREAM.DELETE.SEABATTLE_JOBS",
            "$JS.API.STREAM.CREATE.OTHER",
            "$JS.API.STREAM.MSG.GET.SEABATTLE_RESULTS",
            "$JS.API.CONSUMER.CREATE.SEABATTLE_JOBS",
            "$JS.API.CONSUMER.DELETE.SEABATTLE_JOBS.workers-1",
            "_INBOX.coordinator.abc",
        ] {
            client.publish(subject, "{}".into()).await.unwrap();
            client.flush().await.unwrap();
            refused(&mut violations, "Publish", subject).await;
        }
        for subject in ["_INBOX.coordinator.>", "seabattle.>", "seabattle.results.>", ">"] {
            let _subscription = client.subscribe(subject).await.unwrap();
            client.flush().await.unwrap();
            refused(&mut violations, "Subscription", subject).await;
        }
        // What it may publish arrives.
        let jetstream = ContextBuilder::new().ack_timeout(Duration::from_secs(20)).build(client);
        jetstream.publish("seabattle.results.other.1", "x".into()).await.unwrap().await.unwrap();
    });
    let worker = worker_at(&nats.options_as(WORKER.0, WORKER.1), "own", version(), twice);
    assert_eq!(collect_by(&coordinator, "run", 20, &Reports::default()).unwrap(), expected(20), "nothing is lost");
    worker.stop();
}

/// Waits for the refusal of an action on a subject.
async fn refused(events: &mut tokio::sync::mpsc::UnboundedReceiver<String>, action: &str, subject: &str) {
    let expected = format!("permissions violation for {action} to \"{subject}\"").to_lowercase();
    loop {
        let event = tokio::time::timeout(Duration::from_secs(20), events.recv()).await;
        let event = event.unwrap_or_else(|_| panic!("{action} to {subject} is not refused")).unwrap();
        if event.to_lowercase().contains(&expected) {
            return;
        }
    }
}
