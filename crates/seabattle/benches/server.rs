//! How much the server bears, with its clients on the same machine: `cargo bench -p seabattle --bench server`.
//!
//! With `-- --store postgres://…` it measures another store, with `--games N` so many games at once, and with `--idle N` that many
//! live connections that only wait. With `--nats URL --nodes N` the players of a game are at different nodes, and it is measured
//! how long after a shot somebody at another node sees it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a measurement that cannot be made must fail")]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs};

use futures_util::StreamExt;
use reqwest::Client;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

const GAMES: usize = 128;
const TIME: Duration = Duration::from_secs(15);
const IDLE: usize = 2000;

fn main() {
    let args: Vec<String> = env::args().collect();
    let value = |name: &str| args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1)).cloned();
    let file = env::temp_dir().join(format!("seabattle-bench-{}.db", std::process::id()));
    let store = value("--store").unwrap_or_else(|| file.display().to_string());
    let number = |name: &str, usual: usize| value(name).and_then(|number| number.parse().ok()).unwrap_or(usual);
    let (games, idle) = (number("--games", GAMES), number("--idle", IDLE));
    let nats = value("--nats");
    let servers: Vec<Server> = (0..number("--nodes", 1)).map(|_| Server::start(&store, nats.as_deref())).collect();
    let urls: Vec<String> = servers.iter().map(|server| server.url.clone()).collect();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(seen(&urls));
    runtime.block_on(shots(&urls, games));
    runtime.block_on(waiting(&servers[0], idle));
    for suffix in ["", "-wal", "-shm"] {
        fs::remove_file(format!("{}{suffix}", file.display())).ok();
    }
}

struct Server {
    process: Child,
    url: String,
}

impl Server {
    fn start(store: &str, nats: Option<&str>) -> Self {
        let args = ["serve", "--addr", "127.0.0.1:0", "--store", store, "--log-format", "off", "--rate", "1000000"];
        let mut command = Command::new(env!("CARGO_BIN_EXE_seabattle"));
        let nats = nats.into_iter().flat_map(|nats| ["--nats", nats]);
        let mut process = command.args(args).args(nats).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.split_whitespace().find(|word| word.starts_with("http://")).unwrap();
        Self { url: url.trim_end_matches('/').to_owned(), process }
    }

    fn megabytes(&self) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() / 1024.0
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

/// Both players of a game between people take turns, each shot as soon as the one before is acknowledged.
async fn shots(urls: &[String], games: usize) {
    let stop = Arc::new(AtomicBool::new(false));
    let mut players = JoinSet::new();
    for number in 0..games {
        let node = |number: usize| urls[number % urls.len()].clone();
        players.spawn(play(Client::new(), [node(number), node(number + 1)], Arc::clone(&stop)));
    }
    tokio::time::sleep(TIME).await;
    stop.store(true, Ordering::Relaxed);
    let mut times: Vec<Duration> = players.join_all().await.into_iter().flatten().collect();
    let (half, most) = half_and_most(&mut times);
    println!(
        "{games} games at once: {:.0} durable shots a second; half answered within {half:.1} ms, 99 % within {most:.1} ms",
        times.len() as f64 / TIME.as_secs_f64(),
    );
}

/// Milliseconds that half and 99 % of them stay within.
fn half_and_most(times: &mut [Duration]) -> (f64, f64) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1000.0;
    (at(0.5), at(0.99))
}

/// From sending a shot to the first node until somebody who watches at the last one sees it.
async fn seen(urls: &[String]) {
    let (client, first, last) = (Client::new(), &urls[0], &urls[urls.len() - 1]);
    let mut times = Vec::new();
    for _ in 0..10 {
        let (path, [anna, boris]) = begun(&client, &[first.clone(), first.clone()]).await;
        let game = path[0].rsplit('/').nth(1).unwrap();
        let live = format!("{}/api/games/{game}/live", last.replace("http", "ws"));
        let (mut socket, _) = connect_async(live).await.unwrap();
        next_view(&mut socket).await;
        for number in (50..100).rev() {
            for cookie in [&anna, &boris] {
                let began = Instant::now();
                let shot = shot(number);
                let (view, received) = tokio::join!(command(&client, &path[0], cookie, &shot), next_view(&mut socket));
                times.push(began.elapsed());
                assert_eq!(received["revision"], view["revision"]);
            }
        }
    }
    let (half, most) = half_and_most(&mut times);
    println!("one game: a shot is answered and seen at the last node within {half:.1} ms, 99 % within {most:.1} ms");
}

async fn next_view(socket: &mut WebSocketStream<MaybeTlsStream<TcpStream>>) -> Value {
    loop {
        let message = socket.next().await.unwrap().unwrap();
        if message.is_text() {
            let mut received: Value = serde_json::from_str(message.to_text().unwrap()).unwrap();
            return received["view"].take();
        }
    }
}

async fn play(client: Client, urls: [String; 2], stop: Arc<AtomicBool>) -> Vec<Duration> {
    let mut times = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        one_game(&client, &urls, &stop, &mut times).await;
    }
    times
}

/// A battle that has begun, each side at its own node: where commands go, and cookies.
async fn begun(client: &Client, urls: &[String; 2]) -> ([String; 2], [String; 2]) {
    let wanted = json!({ "rules": "classic", "opponent": "person", "first": "me" });
    let (game, anna) = seat(client, &format!("{}/api/games", urls[0]), &wanted).await;
    let (_, boris) = seat(client, &format!("{}/api/games/{game}/join", urls[1]), &json!({})).await;
    let fleet = "carrier A1 across, battleship A2 across, cruiser A3 across, submarine A4 across, destroyer A5 across";
    let paths = [0, 1].map(|side| format!("{}/api/games/{game}/commands", urls[side]));
    for (path, cookie) in paths.iter().zip([&anna, &boris]) {
        command(client, path, cookie, &json!({ "command": "place", "kind": "place", "fleet": fleet })).await;
    }
    (paths, [anna, boris])
}

fn shot(number: u8) -> Value {
    let cell = format!("{}{}", char::from(b'A' + number % 10), number / 10 + 1);
    json!({ "command": cell, "kind": "shoot", "cells": [cell] })
}

async fn one_game(client: &Client, urls: &[String; 2], stop: &AtomicBool, times: &mut Vec<Duration>) {
    let (paths, cookies) = begun(client, urls).await;
    for number in (0..100).rev() {
        for (path, cookie) in paths.iter().zip(&cookies) {
            let began = Instant::now();
            let view = command(client, path, cookie, &shot(number)).await;
            times.push(began.elapsed());
            if stop.load(Ordering::Relaxed) || view["stage"] == "over" {
                return;
            }
        }
    }
}

async fn seat(client: &Client, path: &str, body: &Value) -> (String, String) {
    let response = client.post(path).json(body).send().await.unwrap();
    let cookie = response.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let view: Value = response.json().await.unwrap();
    (view["game"].as_str().unwrap().to_owned(), cookie)
}

async fn command(client: &Client, path: &str, cookie: &str, body: &Value) -> Value {
    let response = client.post(path).header("cookie", cookie).json(body).send().await.unwrap();
    let answer: Value = response.json().await.unwrap();
    assert!(answer["error"].is_null(), "{body}: {answer}");
    answer
}

/// Spectators who only wait.
async fn waiting(server: &Server, count: usize) {
    let (game, _) = seat(&Client::new(), &format!("{}/api/games", server.url), &json!({ "opponent": "person" })).await;
    let before = server.megabytes();
    let url = format!("{}/api/games/{game}/live", server.url.replace("http", "ws"));
    let mut sockets = Vec::with_capacity(count);
    for _ in 0..count {
        let (mut socket, _) = connect_async(&url).await.unwrap();
        socket.next().await.unwrap().unwrap();
        sockets.push(socket);
    }
    println!("{count} live connections that wait: {:.0} MB, {before:.0} MB before", server.megabytes());
}
