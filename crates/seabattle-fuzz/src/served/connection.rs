//! A client that sends what no browser would, and reads what comes back.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;
use tokio_tungstenite::tungstenite::{self, WebSocket, client::IntoClientRequest};

/// The server gives up a request after 30 seconds and says so.
const PATIENCE: Duration = Duration::from_secs(40);

pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
    address: SocketAddr,
    game: String,
    cookie: String,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) is_json: bool,
    pub(crate) body: Vec<u8>,
}

impl Connection {
    pub(crate) fn to(address: SocketAddr) -> Self {
        Self { stream: BufReader::new(dial(address)), address, game: "none".to_owned(), cookie: String::new() }
    }

    /// Asks, and notes the game and the seat of an answer that has them.
    pub(crate) fn ask(&mut self, method: &[u8], path: &[u8], body: &[u8]) -> Answer {
        let method = if method == b"POST" { "POST" } else { "GET" };
        let path = escaped(path).replace("ID", &self.game);
        let head = format!(
            "{method} /{} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nCookie: {}\r\nContent-Length: {}\r\n\r\n",
            path.trim_start_matches('/'),
            self.cookie,
            body.len()
        );
        // A server that has refused may close its end before it has read all; its answer is there nevertheless.
        let _sent = self.stream.get_mut().write_all(&[head.as_bytes(), body].concat());
        let (answer, cookie, closed) = self.hear();
        if answer.status == 201 {
            let view: Value = serde_json::from_slice(&answer.body).expect("a view");
            self.game = view["game"].as_str().expect("a game has a name").to_owned();
            self.cookie = cookie.expect("who creates a game has a seat");
        }
        if closed {
            self.stream = BufReader::new(dial(self.address));
        }
        answer
    }

    /// An answer, the cookie in it, and whether the server hangs up after it.
    fn hear(&mut self) -> (Answer, Option<String>, bool) {
        let (mut status, mut length, mut cookie) = (0, None, None);
        let (mut is_json, mut closed) = (false, false);
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line).expect("the server answers");
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            let (name, value) = line.split_once(": ").unwrap_or((line, ""));
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse().ok(),
                "content-type" => is_json = value.starts_with("application/json"),
                "set-cookie" => cookie = value.split(';').next().map(str::to_owned),
                "connection" => closed = value == "close",
                first if first.starts_with("http/1.1 ") => status = first[9..12].parse().expect("a status"),
                _ => {}
            }
        }
        let mut body = vec![0; length.expect("answers say how long they are")];
        self.stream.read_exact(&mut body).expect("as much as announced");
        (Answer { status, is_json, body }, cookie, closed)
    }

    /// The live connection of the game that was created last.
    pub(crate) fn live(&self, address: SocketAddr) -> WebSocket<TcpStream> {
        let mut request =
            format!("ws://{address}/api/games/{}/live", self.game).into_client_request().expect("a request");
        request.headers_mut().insert("cookie", self.cookie.parse().expect("a cookie"));
        tungstenite::client(request, dial(address)).expect("players may watch their game").0
    }
}

fn dial(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("the server listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
    stream.set_nodelay(true).expect("small packets");
    stream
}

/// What may stand in the first line of a request.
fn escaped(path: &[u8]) -> String {
    let letter = |byte: &u8| match byte {
        b'!'..=b'~' => char::from(*byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    path.iter().map(letter).collect()
}
