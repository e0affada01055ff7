//! The site on several nodes, and what may happen to them and to what they share.

mod player;
mod signing_in;
mod site;
mod starting;

use std::time::{Duration, Instant};

use seabattle_core::{Seed, uniform_below};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

use player::{BETWEEN_TRIES, PATIENCE, Played, Player, RULES, Site, next_view};
use site::{Node, Services};

const NODES: usize = 3;
const KILLS: usize = 5;

fn site_of(nodes: &[Node]) -> Site {
    Site::new(nodes.iter().map(Node::url).collect())
}

/// People at many tables, who play one game after the other until they are told that it is enough.
struct Tables {
    playing: JoinSet<Vec<Played>>,
    enough: watch::Sender<bool>,
}

impl Tables {
    /// Half of them against the computer, half between two people, everybody at another node than the one before.
    fn start(site: &Site, count: usize) -> Self {
        let (mut playing, enough) = (JoinSet::new(), watch::Sender::new(false));
        for number in 0..count {
            playing.spawn(play_on(site.clone(), number, enough.subscribe()));
        }
        Self { playing, enough }
    }

    async fn end(mut self) -> Vec<Played> {
        self.enough.send_replace(true);
        let mut games = Vec::new();
        while let Some(played) = self.playing.join_next().await {
            games.extend(played.unwrap());
        }
        games
    }
}

async fn play_on(site: Site, number: usize, enough: watch::Receiver<bool>) -> Vec<Played> {
    let mut games = Vec::new();
    while games.is_empty() || !*enough.borrow() {
        games.extend(play_one(&site, number).await.into_iter().flatten());
        tokio::task::yield_now().await;
    }
    games
}

/// `None` if it did not come to be, because a node died.
async fn play_one(site: &Site, number: usize) -> Option<Vec<Played>> {
    let opponent = if number.is_multiple_of(2) { "recruit" } else { "person" };
    let anna = Player::open(site, number, &json!({ "rules": RULES, "opponent": opponent, "first": "me" })).await?;
    if number.is_multiple_of(2) {
        return Some(vec![anna.play().await]);
    }
    let boris = Player::join(site, number + 1, &anna.game).await?;
    let (anna, boris) = tokio::join!(anna.play(), boris.play());
    Some(vec![anna, boris])
}

async fn check_all(games: &[Played], site: &Site, nodes: usize) {
    for game in games {
        game.check(site, nodes).await;
    }
}

/// Waits until so many more shots were fired.
async fn more_shots(site: &Site, more: usize) {
    let mut shots = site.shots.subscribe();
    let wanted = *shots.borrow() + more;
    timeout(PATIENCE, shots.wait_for(|shots| *shots >= wanted)).await.expect("no game goes on").unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_sees_every_shot_at_any_node() {
    let Some(services) = Services::start("live") else { return };
    let nodes = services.nodes(NODES);
    let site = site_of(&nodes);
    let mut anna =
        Player::open(&site, 0, &json!({ "rules": RULES, "opponent": "person", "first": "me" })).await.unwrap();
    let mut boris = Player::join(&site, 1, &anna.game).await.unwrap();
    anna.place().await;
    boris.place().await;
    let mut watching = Vec::new();
    for node in 0..NODES {
        anna.at = node;
        let mut socket = anna.connect().await.unwrap();
        assert_eq!(next_view(&mut socket).await.unwrap()["stage"], "battle");
        watching.push(socket);
    }
    let mut late = Vec::new();
    // Four shots each sink no fleet of five cells, so the game is not over before the last of them.
    for number in 0..8_usize {
        let (shooter, cell) =
            (if number.is_multiple_of(2) { &mut anna } else { &mut boris }, format!("A{}", number / 2 + 1));
        let stored = shooter.shoot(&cell).await["revision"].as_u64().unwrap();
        let began = Instant::now();
        for socket in &mut watching {
            while timeout(PATIENCE, next_view(socket)).await.unwrap().unwrap()["revision"].as_u64().unwrap() < stored {}
        }
        late.push(began.elapsed());
    }
    late.sort();
    eprintln!("a shot is seen at all nodes after {:.1?} (median), {:.1?} at most", late[4], late[7]);
    assert!(late[4] < Duration::from_millis(500), "that is no news: {late:?}");
    for node in 0..NODES {
        assert!(site.metric(node, "news_heard_total").await > 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_die_and_every_game_goes_on() {
    let Some(services) = Services::start("dying") else { return };
    let mut nodes = services.nodes(NODES);
    let site = site_of(&nodes);
    let tables = Tables::start(&site, 24);
    let seed = std::process::id();
    eprintln!("seed {seed}");
    let mut chance = Seed::new(u64::from(seed)).rng();
    for _ in 0..KILLS {
        more_shots(&site, 1 + uniform_below(&mut chance, 60)).await;
        let dying = uniform_below(&mut chance, NODES);
        nodes[dying].kill();
        more_shots(&site, 1 + uniform_below(&mut chance, 60)).await;
        nodes[dying].start_again();
        site.is_back(dying);
    }
    let games = tables.end().await;
    eprintln!("{} seats in games over {KILLS} deaths, {} shots", games.len(), *site.shots.borrow());
    check_all(&games, &site, NODES).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_stands_still_and_comes_back() {
    let Some(services) = Services::start("still") else { return };
    let nodes = services.nodes(2);
    let site = site_of(&nodes);
    let tables = Tables::start(&site, 8);
    more_shots(&site, 20).await;
    nodes[0].signal("-STOP");
    more_shots(&site, 20).await;
    let games = tables.end().await;
    nodes[0].signal("-CONT");
    site.is_back(0);
    check_all(&games, &site, 2).await;
}

/// The node that ran the clock is dead, and no connection is left anywhere: another one fires by chance, once.
#[tokio::test(flavor = "multi_thread")]
async fn a_clock_runs_on_although_nobody_watches() {
    let Some(services) = Services::start("clock") else { return };
    let mut nodes = services.nodes(3);
    let site = site_of(&nodes);
    let wanted = json!({ "rules": RULES, "opponent": "person", "first": "me", "clock": 5 });
    let mut anna = Player::open(&site, 0, &wanted).await.unwrap();
    let mut boris = Player::join(&site, 0, &anna.game).await.unwrap();
    for player in [&mut anna, &mut boris] {
        player.at = 0;
        player.place().await;
    }
    nodes[0].kill();
    let began = Instant::now();
    let mut late = view_at(&mut anna, 1).await;
    while shots(&late) == 0 {
        assert!(began.elapsed() < PATIENCE, "{late}");
        tokio::time::sleep(BETWEEN_TRIES).await;
        late = view_at(&mut anna, 1).await;
    }
    assert_eq!((shots(&late), &late["mover"], &late["stage"]), (1, &json!("B"), &json!("battle")));
    assert_eq!(view_at(&mut anna, 2).await["revision"], late["revision"]);
    eprintln!("another node took the clock over {:.1?} after its node died, with 5 s to run", began.elapsed());
    assert_eq!(site.metric(1, "takeovers_total").await + site.metric(2, "takeovers_total").await, 1);
}

fn shots(view: &Value) -> usize {
    ["A", "B"].iter().map(|side| view["waters"][side]["shots"].as_array().unwrap().len()).sum()
}

async fn view_at(player: &mut Player, node: usize) -> Value {
    player.at = node;
    player.view().await
}

#[tokio::test(flavor = "multi_thread")]
async fn nats_goes_and_comes_back() {
    let Some(mut services) = Services::start("nats") else { return };
    let nodes = services.nodes(2);
    let site = site_of(&nodes);
    let mut anna =
        Player::open(&site, 0, &json!({ "rules": RULES, "opponent": "person", "first": "me" })).await.unwrap();
    let mut boris = Player::join(&site, 1, &anna.game).await.unwrap();
    anna.place().await;
    boris.place().await;
    boris.at = 1;
    let mut watching = boris.connect().await.unwrap();
    services.nats.stop();
    until_ready_says(&site, "NATS does not answer").await;
    assert_eq!(site.metric(1, "news_connected").await, 0);
    anna.at = 0;
    let revision = anna.shoot("A1").await["revision"].clone();
    while timeout(PATIENCE, next_view(&mut watching)).await.unwrap().unwrap()["revision"] != revision {}
    assert!(site.metric(1, "news_missed_total").await > 0, "found without news");
    assert!(services.nats.resume());
    until_ready_says(&site, "ready\n").await;
    let heard = site.metric(1, "news_heard_total").await;
    boris.at = 0;
    let revision = boris.shoot("A1").await["revision"].clone();
    while timeout(PATIENCE, next_view(&mut watching)).await.unwrap().unwrap()["revision"] != revision {}
    let began = Instant::now();
    while site.metric(1, "news_heard_total").await == heard {
        assert!(began.elapsed() < PATIENCE, "no news after NATS came back");
        tokio::time::sleep(BETWEEN_TRIES).await;
    }
}

async fn until_ready_says(site: &Site, wanted: &str) {
    let began = Instant::now();
    for node in 0..2 {
        while !site.text(node, "/readyz").await.contains(wanted) {
            assert!(began.elapsed() < PATIENCE, "node {node} never says {wanted:?}");
            tokio::time::sleep(BETWEEN_TRIES).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn postgresql_restarts_in_the_middle() {
    let Some(mut services) = Services::start("restart") else { return };
    let nodes = services.nodes(2);
    let site = site_of(&nodes);
    let tables = Tables::start(&site, 24);
    more_shots(&site, 50).await;
    services.database.stop();
    let mut unavailable = site.unavailable.subscribe();
    timeout(PATIENCE, unavailable.wait_for(|count| *count > 0)).await.expect("nobody is told").unwrap();
    let response = site.client.get(format!("{}/readyz", site.url(0))).send().await.unwrap();
    assert_eq!(response.status(), reqwest::StatusCode::SERVICE_UNAVAILABLE);
    services.database.resume();
    more_shots(&site, 50).await;
    check_all(&tables.end().await, &site, 2).await;
}
