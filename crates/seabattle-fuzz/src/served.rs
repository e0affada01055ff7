//! A server that is asked anything: over HTTP, and over a live connection.

mod connection;
mod site;

use serde_json::Value;
use tokio_tungstenite::tungstenite::Message;

use connection::{Answer, Connection};
use site::TestServer;

use crate::first_line;

/// Requests beyond these are left out: one input takes bounded time.
const MOST_REQUESTS: usize = 30;

/// Each line is a request, `METHOD PATH BODY`; `ID` in a path is the game that was created last, asked with its cookie. The
/// server always answers, and never with a failure of its own.
pub fn requests(data: &[u8]) {
    TestServer::with(|site| {
        let mut connection = Connection::to(site.address());
        for line in data.split(|byte| *byte == b'\n').take(MOST_REQUESTS) {
            let mut words = line.splitn(3, |byte| *byte == b' ');
            let (method, path, body) = (words.next(), words.next(), words.next());
            let (Some(method), Some(path)) = (method, path) else { continue };
            checked(&connection.ask(method, path, body.unwrap_or_default()), line);
        }
    });
}

fn checked(answer: &Answer, line: &[u8]) {
    let line = String::from_utf8_lossy(line);
    assert!(answer.status < 500, "{line}: {answer:?}");
    if answer.is_json {
        let body: Value = serde_json::from_slice(&answer.body).expect("JSON as announced");
        assert_eq!(answer.status >= 400, body.get("error").is_some(), "{line}: {body}");
    }
}

/// The first line creates a game; every other one is a message of its player. Each is answered once, what is refused changes
/// nothing, and views never go back.
pub fn live(data: &[u8]) {
    TestServer::with(|site| {
        let (wanted, messages) = first_line(data);
        let mut connection = Connection::to(site.address());
        let created = connection.ask(b"POST", b"/api/games", wanted);
        checked(&created, wanted);
        if created.status != 201 {
            return;
        }
        let mut socket = connection.live(site.address());
        let mut revision = None;
        for message in messages.split(|byte| *byte == b'\n').take(MOST_REQUESTS) {
            let message = String::from_utf8_lossy(message).into_owned();
            if socket.send(Message::text(message.clone())).is_err() {
                return;
            }
            loop {
                // A message that is too long ends the connection.
                let Ok(heard) = socket.read() else { return };
                let Message::Text(text) = heard else { continue };
                let heard: Value = serde_json::from_str(&text).expect("the server speaks JSON");
                if let Some(view) = heard.get("view") {
                    let newer = view["revision"].as_u64();
                    assert!(newer >= revision, "{message}: {revision:?}, then {newer:?}");
                    revision = newer;
                    continue;
                }
                let (done, refused) = (heard.get("done"), heard.get("refused"));
                assert!(done.is_some() != refused.is_some(), "{message}: {heard}");
                break;
            }
        }
    });
}
