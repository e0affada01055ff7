//! WebSocket connections: each sends the newest view after every change, and receives commands.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::Response;
use serde_json::json;
use tokio::sync::watch;
use tokio::time::timeout;

use super::AppState;
use super::client::{secrets, too_many};
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
    let (handle, updates) = state.rooms.subscribe(&game).await?;
    let connection = LiveConnection {
        rooms: Arc::clone(&state.rooms),
        handle,
        secrets: secrets(&headers, &game),
        game,
        state,
        client,
    };
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
    secrets: Vec<String>,
    state: AppState,
    client: Client,
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
        let (view, side) = self.handle.view_of(&self.secrets).await;
        let mut replaced = side.map(|side| self.handle.replace_connection(side));
        if let Some(replaced) = &mut replaced {
            replaced.mark_unchanged();
        }
        self.send(socket, &json!({ "view": view })).await?;
        let (mut last_message, mut ping) = (Instant::now(), tokio::time::interval(PING_INTERVAL));
        loop {
            tokio::select! {
                changed = updates.changed() => {
                    changed.ok()?;
                    let (view, _) = self.handle.view_of(&self.secrets).await;
                    self.rooms.metrics.views.inc();
                    self.send(socket, &json!({ "view": view })).await?;
                }
                () = until_replaced(&mut replaced) => {
                    let frame = CloseFrame { code: CLOSE_REPLACED, reason: "replaced".into() };
                    timeout(SEND_TIMEOUT, socket.send(Message::Close(Some(frame)))).await.ok()?.ok()?;
                    return None;
                }
                message = socket.recv() => {
                    last_message = Instant::now();
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
                self.send(socket, &answer).await
            }
            Message::Close(_) => None,
            Message::Binary(_) | Message::Ping(_) | Message::Pong(_) => Some(()),
        }
    }

    async fn answer_command(&self, text: &str) -> serde_json::Value {
        let command: Command = match serde_json::from_str(text) {
            Ok(command) => command,
            Err(error) => {
                return json!({ "refused": null, "error": ApiError::bad_request("message", &error.to_string()) });
            }
        };
        if !self.state.requests.allows(&self.client, Instant::now()) {
            return json!({ "refused": command.command, "error": too_many() });
        }
        match self.rooms.handle_command(&self.game, &self.secrets, &command, &self.client).await {
            Ok(_) => json!({ "done": command.command }),
            Err(error) => {
                self.rooms.metrics.refusals.inc();
                json!({ "refused": command.command, "error": error })
            }
        }
    }

    async fn send(&self, socket: &mut WebSocket, message: &serde_json::Value) -> Option<()> {
        timeout(SEND_TIMEOUT, socket.send(Message::Text(message.to_string().into()))).await.ok()?.ok()
    }
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
