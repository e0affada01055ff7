//! The real terminal: taken over, listened to, and always given back.

use std::io::{self, Stdout, stdout};
use std::panic;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture, Event, read};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};

use super::Options;
use super::app::App;
use super::news::News;
use crate::Result;

/// What may be waiting is taken in before the screen is drawn again, but not more than this.
const MOST_AT_ONCE: usize = 64;

/// Runs the program in the terminal until the player leaves.
pub fn run(options: Options) -> Result<()> {
    let (send, news) = channel();
    let mut app = App::new(options, &send);
    let mut window = Window::open()?;
    window.draw(&mut app)?;
    listen(&send);
    while !app.is_over() {
        take_in(&mut app, &news);
        window.draw(&mut app)?;
    }
    Ok(())
}

/// Waits for something to happen, and takes in what has happened meanwhile.
fn take_in(app: &mut App, news: &Receiver<News>) {
    let first = match app.wait() {
        None => news.recv().unwrap_or(News::Stop),
        Some(time) => match news.recv_timeout(time) {
            Ok(first) => first,
            Err(RecvTimeoutError::Timeout) => News::Tick,
            Err(RecvTimeoutError::Disconnected) => News::Stop,
        },
    };
    app.handle(first);
    for more in news.try_iter().take(MOST_AT_ONCE) {
        if app.is_over() {
            return;
        }
        app.handle(more);
    }
}

/// Keys, the mouse and signals become news. A terminal that has gone away ends the program.
fn listen(send: &Sender<News>) {
    let signals = send.clone();
    // Without it the keys still work: Ctrl-C is one of them.
    ctrlc::set_handler(move || {
        signals.send(News::Stop).ok();
    })
    .ok();
    let keys = send.clone();
    thread::spawn(move || {
        loop {
            let news = match read() {
                Ok(Event::Key(key)) => News::Key(key),
                Ok(Event::Mouse(mouse)) => News::Mouse(mouse),
                Ok(Event::Resize(..)) => News::Resized,
                Ok(_) => continue,
                Err(_) => News::Stop,
            };
            let last = matches!(news, News::Stop);
            if keys.send(news).is_err() || last {
                return;
            }
        }
    });
}

/// The terminal while it is ours; dropped, it is as it was.
struct Window {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Window {
    fn open() -> io::Result<Self> {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            give_back();
            before(info);
        }));
        enable_raw_mode()?;
        let entered = execute!(stdout(), EnterAlternateScreen, EnableMouseCapture);
        entered
            .and_then(|()| Terminal::new(CrosstermBackend::new(stdout())))
            .map(|terminal| Self { terminal })
            .inspect_err(|_| give_back())
    }

    fn draw(&mut self, app: &mut App) -> io::Result<()> {
        self.terminal.draw(|frame| {
            let area = frame.area();
            app.draw(area, frame.buffer_mut());
        })?;
        Ok(())
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        give_back();
    }
}

/// Nothing more can be done for a terminal that refuses.
fn give_back() {
    execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show).ok();
    disable_raw_mode().ok();
}
