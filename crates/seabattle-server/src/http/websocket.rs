//! Live connections: the newest view after every change, commands in between.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::extract::{ConnectInfo, Path, State};
use axum::http::{HeaderMap, header};
use axum::response::Response;
use serde_json::json;
use tokio::sync::watch;
use tokio::time::timeout;

use super::AppState;
use super::client::{address, secrets, too_many};
use crate::rooms::command::{ApiError, Command, ErrorKind};
use crate::rooms::{RoomHandle, RoomRegistry};

const LARGEST_MESSAGE: usize = 16 * 1024;
/// Thousands of connections wait at a time: each with no more memory than a command needs.
const READ_BUFFER: usize = 1024;
/// A reader that takes longer than this for one message is gone.
const PATIENCE: Duration = Duration::from_secs(10);
const PING: Duration = Duration::from_secs(25);
/// Without a sign of life for so long a connection is dead.
const SILENCE: Duration = Duration::from_secs(70);

const REPLACED: u16 = 4001;

pub(crate) async fn live(
    State(doors): State<AppState>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Path(game): Path<String>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let client = address(&doors, peer, &headers);
    if !doors.requests.allows(client, Instant::now()) {
        return Err(too_many());
    }
    if !is_own_page(&headers) {
        return Err(ApiError::new(ErrorKind::Forbidden, "origin", "live connections are for this server's own pages"));
    }
    let (table, newest) = doors.hall.watch(&game).await?;
    let connection =
        LiveConnection { hall: Arc::clone(&doors.hall), table, secrets: secrets(&headers, &game), game, doors, client };
    let upgrade =
        upgrade.max_message_size(LARGEST_MESSAGE).max_frame_size(LARGEST_MESSAGE).read_buffer_size(READ_BUFFER);
    Ok(upgrade.on_upgrade(|socket| connection.serve(socket, newest)))
}

/// Browsers say which page wants to connect; scripts say nothing.
fn is_own_page(headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    origin.zip(host).is_some_and(|((_, origin), host)| origin == host)
}

struct LiveConnection {
    hall: Arc<RoomRegistry>,
    table: Arc<RoomHandle>,
    game: String,
    secrets: Vec<String>,
    doors: AppState,
    client: IpAddr,
}

impl LiveConnection {
    async fn serve(self, mut socket: WebSocket, newest: watch::Receiver<u64>) {
        self.hall.metrics.connections.inc();
        self.talk(&mut socket, newest).await;
        self.hall.metrics.connections.dec();
    }

    /// `None` when the connection is over.
    async fn talk(&self, socket: &mut WebSocket, mut newest: watch::Receiver<u64>) -> Option<()> {
        newest.mark_unchanged();
        let (view, side) = self.table.view_of(&self.secrets).await;
        let mut replaced = side.map(|side| self.table.take_over(side));
        if let Some(replaced) = &mut replaced {
            replaced.mark_unchanged();
        }
        self.send(socket, &json!({ "view": view })).await?;
        let (mut heard, mut ping) = (Instant::now(), tokio::time::interval(PING));
        loop {
            tokio::select! {
                changed = newest.changed() => {
                    changed.ok()?;
                    let (view, _) = self.table.view_of(&self.secrets).await;
                    self.hall.metrics.views.inc();
                    self.send(socket, &json!({ "view": view })).await?;
                }
                () = taken_over(&mut replaced) => {
                    let frame = CloseFrame { code: REPLACED, reason: "replaced".into() };
                    timeout(PATIENCE, socket.send(Message::Close(Some(frame)))).await.ok()?.ok()?;
                    return None;
                }
                message = socket.recv() => {
                    heard = Instant::now();
                    self.hear(socket, message?.ok()?).await?;
                }
                _ = ping.tick() => {
                    if heard.elapsed() > SILENCE {
                        return None;
                    }
                    timeout(PATIENCE, socket.send(Message::Ping(Vec::new().into()))).await.ok()?.ok()?;
                }
            }
        }
    }

    async fn hear(&self, socket: &mut WebSocket, message: Message) -> Option<()> {
        match message {
            Message::Text(text) => {
                let answer = self.obey(&text).await;
                self.send(socket, &answer).await
            }
            Message::Close(_) => None,
            Message::Binary(_) | Message::Ping(_) | Message::Pong(_) => Some(()),
        }
    }

    async fn obey(&self, text: &str) -> serde_json::Value {
        let command: Command = match serde_json::from_str(text) {
            Ok(command) => command,
            Err(error) => return json!({ "refused": null, "error": ApiError::wrong("message", &error.to_string()) }),
        };
        if !self.doors.requests.allows(self.client, Instant::now()) {
            return json!({ "refused": command.command, "error": too_many() });
        }
        match self.hall.obey(&self.game, &self.secrets, &command).await {
            Ok(_) => json!({ "done": command.command }),
            Err(refusal) => {
                self.hall.metrics.refusals.inc();
                json!({ "refused": command.command, "error": refusal })
            }
        }
    }

    async fn send(&self, socket: &mut WebSocket, message: &serde_json::Value) -> Option<()> {
        timeout(PATIENCE, socket.send(Message::Text(message.to_string().into()))).await.ok()?.ok()
    }
}

/// Waits for another connection of the same seat; spectators wait for ever.
async fn taken_over(replaced: &mut Option<watch::Receiver<u64>>) {
    let came = match replaced {
        Some(replaced) => replaced.changed().await.is_ok(),
        None => false,
    };
    if !came {
        std::future::pending::<()>().await;
    }
}
