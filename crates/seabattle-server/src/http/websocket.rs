//! WebSocket connections: each sends the newest view after every change, and receives commands.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::Response;
use seabattle_core::Side;
use serde_json::json;
use tokio::sync::watch;
use tokio::time::timeout;

use super::AppState;
use super::api::may_execute;
use super::client::{secrets, too_many};
use super::connections::{CountedConnection, until_stopping};
use super::rate_limit::{Bucket, RateLimit};
use crate::admission::Client;
use crate::api_error::{ApiError, ErrorKind};
use crate::rooms::command::Command;
use crate::rooms::{RoomHandle, RoomRegistry};

const MAX_MESSAGE_BYTES: usize = 16 * 1024;
/// The read buffer of one connection. Thousands of idle connections are open at a time, so it is small.
const READ_BUFFER: usize = 1024;
/// A client that takes longer than this to receive a message is disconnected.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);
const PING_INTERVAL: Duration = Duration::from_secs(25);
/// A connection without any message or pong for this long is closed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(70);

const CLOSE_REPLACED: u16 = 4001;
/// The server stops: the page reconnects, perhaps to another node.
const CLOSE_RESTART: u16 = 1012;
const CLOSE_TOO_MANY: u16 = 4008;

/// How many messages of one connection are read at once, and how many a second on average, whatever they are.
const MESSAGE_LIMIT: RateLimit = RateLimit { burst: 200.0, per_second: 50.0 };

/// How long the last message of a stopping server may take.
const STOP_SEND_TIMEOUT: Duration = Duration::from_secs(1);

pub(crate) async fn live(
    State(state): State<AppState>,
    client: Client,
    Path(game): Path<String>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    if !state.requests.allows(&client, Instant::now()) {
        return Err(too_many());
    }
    if !is_own_page(&headers) {
        return Err(ApiError::new(
            ErrorKind::Forbidden,
            "origin",
            "only this server's own pages can open live connections",
        ));
    }
    let Some(counted) = state.live.open(client.address) else {
        return Err(too_many());
    };
    let (handle, updates) = state.rooms.subscribe(&game).await?;
    let seat = handle.seat_of(&secrets(&headers, &game)).await;
    let connection =
        LiveConnection { rooms: Arc::clone(&state.rooms), handle, seat, game, state, client, _counted: counted };
    let upgrade =
        upgrade.max_message_size(MAX_MESSAGE_BYTES).max_frame_size(MAX_MESSAGE_BYTES).read_buffer_size(READ_BUFFER);
    Ok(upgrade.on_upgrade(|socket| connection.serve(socket, updates)))
}

/// Whether the request comes from this server's own page. Browsers send the origin of the page; scripts send none.
fn is_own_page(headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    origin.zip(host).is_some_and(|((_, origin), host)| origin == host)
}

struct LiveConnection {
    rooms: Arc<RoomRegistry>,
    handle: Arc<RoomHandle>,
    game: String,
    /// The side that the cookies of the request prove, with its secret. Other cookies are forgotten.
    seat: Option<(Side, String)>,
    state: AppState,
    client: Client,
    _counted: CountedConnection,
}

impl LiveConnection {
    async fn serve(self, mut socket: WebSocket, updates: watch::Receiver<u64>) {
        self.rooms.metrics.connections.inc();
        self.run(&mut socket, updates).await;
        self.rooms.metrics.connections.dec();
    }

    /// Sends views and receives commands. Returns `None` when the connection is over.
    async fn run(&self, socket: &mut WebSocket, mut updates: watch::Receiver<u64>) -> Option<()> {
        updates.mark_unchanged();
        let side = self.seat.as_ref().map(|(side, _)| *side);
        let mut stopping = self.state.stopping.clone();
        let mut replaced = side.map(|side| self.handle.replace_connection(side));
        if let Some(replaced) = &mut replaced {
            replaced.mark_unchanged();
        }
        self.send(socket, self.handle.newest_view(side, &self.rooms.metrics).await).await?;
        let mut messages = Bucket::full(MESSAGE_LIMIT, Instant::now());
        let (mut last_message, mut ping) = (Instant::now(), tokio::time::interval(PING_INTERVAL));
        loop {
            tokio::select! {
                changed = updates.changed() => {
                    changed.ok()?;
                    self.rooms.metrics.views.inc();
                    self.send(socket, self.handle.newest_view(side, &self.rooms.metrics).await).await?;
                }
                () = until_replaced(&mut replaced) => {
                    return close(socket, CLOSE_REPLACED, "replaced", SEND_TIMEOUT).await;
                }
                () = until_stopping(&mut stopping) => {
                    return close(socket, CLOSE_RESTART, "the server stops; reconnect", STOP_SEND_TIMEOUT).await;
                }
                message = socket.recv() => {
                    last_message = Instant::now();
                    if !messages.take(MESSAGE_LIMIT, last_message) {
                        return close(socket, CLOSE_TOO_MANY, "too many messages", SEND_TIMEOUT).await;
                    }
                    self.receive(socket, message?.ok()?).await?;
                }
                _ = ping.tick() => {
                    if last_message.elapsed() > IDLE_TIMEOUT {
                        return None;
                    }
                    timeout(SEND_TIMEOUT, socket.send(Message::Ping(Vec::new().into()))).await.ok()?.ok()?;
                }
            }
        }
    }

    async fn receive(&self, socket: &mut WebSocket, message: Message) -> Option<()> {
        match message {
            Message::Text(text) => {
                let answer = self.answer_command(&text).await;
                self.send(socket, answer.to_string().into()).await
            }
            Message::Close(_) => None,
            Message::Binary(_) | Message::Ping(_) | Message::Pong(_) => Some(()),
        }
    }

    async fn answer_command(&self, text: &str) -> serde_json::Value {
        if !self.state.requests.allows(&self.client, Instant::now()) {
            let command = serde_json::from_str::<Command>(text).ok().map(|command| command.command);
            return json!({ "refused": command, "error": too_many() });
        }
        let command: Command = match serde_json::from_str(text) {
            Ok(command) => command,
            Err(error) => {
                return json!({ "refused": null, "error": ApiError::bad_request("message", &error.to_string()) });
            }
        };
        if !may_execute(&self.state, &command, &self.client) {
            return json!({ "refused": command.command, "error": too_many() });
        }
        let secrets: Vec<String> = self.seat.iter().map(|(_, secret)| secret.clone()).collect();
        match self.rooms.handle_command(&self.game, &secrets, &command, &self.client).await {
            Ok(_) => json!({ "done": command.command }),
            Err(error) => {
                self.rooms.metrics.refusals.inc();
                json!({ "refused": command.command, "error": error })
            }
        }
    }

    async fn send(&self, socket: &mut WebSocket, message: Utf8Bytes) -> Option<()> {
        timeout(SEND_TIMEOUT, socket.send(Message::Text(message))).await.ok()?.ok()
    }
}

async fn close(socket: &mut WebSocket, code: u16, reason: &'static str, limit: Duration) -> Option<()> {
    let frame = CloseFrame { code, reason: reason.into() };
    timeout(limit, socket.send(Message::Close(Some(frame)))).await.ok()?.ok()?;
    None
}

/// Waits until a newer connection of the same seat replaces this one. Spectators are never replaced.
async fn until_replaced(replaced: &mut Option<watch::Receiver<u64>>) {
    let was_replaced = match replaced {
        Some(replaced) => replaced.changed().await.is_ok(),
        None => false,
    };
    if !was_replaced {
        std::future::pending::<()>().await;
    }
}
