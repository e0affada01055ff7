//! Who sent a message: every worker signs with a key that it makes when it starts.
//!
//! So no worker can speak for another one, even if all of them log in to NATS as the same user.

use std::fmt;

use async_nats::HeaderMap;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};

use crate::connection::QueueError;

const NAME_HEADER: &str = "Seabattle-Worker";
const KEY_HEADER: &str = "Seabattle-Key";
const SIGNATURE_HEADER: &str = "Seabattle-Signature";
/// The maximum length of a worker's name, in characters.
const MAX_NAME: usize = 64;
/// How many digits of a key people and journals see. Nobody finds another key that begins with them.
const SHORT_ID: usize = 16;

/// The identity of a worker: its public key, which nobody can forge, and the name that it gave itself.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct WorkerIdentity {
    id: String,
    name: String,
}

impl WorkerIdentity {
    /// The public key in hexadecimal digits; empty for a worker that does not sign.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The first digits of the public key; `unsigned` for a worker that does not sign.
    pub fn short_id(&self) -> &str {
        if self.is_signed() { self.id.get(..SHORT_ID).unwrap_or(&self.id) } else { "unsigned" }
    }

    /// The name of the worker. Another worker may have the same one.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the worker has proved its identity.
    pub fn is_signed(&self) -> bool {
        !self.id.is_empty()
    }
}

impl fmt::Display for WorkerIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_signed() {
            write!(f, "{} ({})", self.name, self.short_id())
        } else {
            write!(f, "{} (unsigned)", self.name)
        }
    }
}

/// The text on one line and of bounded length, as names and reasons of other machines are shown.
pub fn printable(text: &str, most: usize) -> String {
    let printable = |letter: char| if letter.is_control() { ' ' } else { letter };
    text.chars().take(most).map(printable).collect()
}

/// What a signature covers.
#[derive(Clone, Copy)]
pub(crate) struct Signed<'a> {
    pub(crate) subject: &'a str,
    /// The job that a result belongs to; empty for other messages.
    pub(crate) job: &'a [u8],
    pub(crate) payload: &'a [u8],
}

impl Signed<'_> {
    /// All parts as one text. Lengths keep the parts apart.
    fn bytes(self, name: &str) -> Vec<u8> {
        let lengths = format!("seabattle 1 {} {} {}\n", self.subject.len(), name.len(), self.job.len());
        [lengths.as_bytes(), self.subject.as_bytes(), name.as_bytes(), self.job, self.payload].concat()
    }
}

/// The key and the name of this worker.
pub(crate) struct SigningIdentity {
    key: Ed25519KeyPair,
    identity: WorkerIdentity,
}

impl SigningIdentity {
    /// A new identity with this name.
    pub(crate) fn generate(name: &str) -> Result<Self, QueueError> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(|error| QueueError::Io(std::io::Error::other(error)))?;
        let key = Ed25519KeyPair::from_seed_unchecked(&seed)
            .map_err(|error| QueueError::Io(std::io::Error::other(error.to_string())))?;
        let identity =
            WorkerIdentity { id: hexadecimal(key.public_key().as_ref()), name: printable(name.trim(), MAX_NAME) };
        Ok(Self { key, identity })
    }

    pub(crate) fn identity(&self) -> &WorkerIdentity {
        &self.identity
    }

    /// The headers that prove who sent this.
    pub(crate) fn headers(&self, signed: Signed<'_>) -> HeaderMap {
        let WorkerIdentity { id, name } = &self.identity;
        let signature = self.key.sign(&signed.bytes(name));
        let mut headers = HeaderMap::new();
        headers.insert(NAME_HEADER, name.as_str());
        headers.insert(KEY_HEADER, id.as_str());
        headers.insert(SIGNATURE_HEADER, hexadecimal(signature.as_ref()).as_str());
        headers
    }
}

/// The sender of a message, by its headers. `None` if the signature belongs to another message.
pub(crate) fn sender(headers: Option<&HeaderMap>, signed: Signed<'_>) -> Option<WorkerIdentity> {
    let header = |name: &str| headers.and_then(|headers| headers.get(name)).map(|value| value.as_str());
    let claimed = header(NAME_HEADER).unwrap_or("a worker without a name");
    let name = printable(claimed, MAX_NAME);
    let (Some(id), Some(signature)) = (header(KEY_HEADER), header(SIGNATURE_HEADER)) else {
        return Some(WorkerIdentity { id: String::new(), name });
    };
    let (key, signature) = (bytes(id)?, bytes(signature)?);
    UnparsedPublicKey::new(&ED25519, &key).verify(&signed.bytes(claimed), &signature).ok()?;
    Some(WorkerIdentity { id: hexadecimal(&key), name })
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of hexadecimal digits.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.chars().map(|digit| Some(digit.to_digit(16)? as u8)).collect::<Option<_>>()?;
    let (pairs, rest) = digits.as_chunks::<2>();
    rest.is_empty().then(|| pairs.iter().map(|[high, low]| high * 16 + low).collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use async_nats::HeaderMap;

    use super::{KEY_HEADER, NAME_HEADER, Signed, SigningIdentity, printable, sender};

    const MESSAGE: Signed<'_> = Signed { subject: "seabattle.results.run.1", job: b"job", payload: b"result" };

    #[test]
    fn a_signature_proves_who_sent_what() {
        let anna = SigningIdentity::generate(" anna\n").unwrap();
        let headers = anna.headers(MESSAGE);
        let read = sender(Some(&headers), MESSAGE).unwrap();
        assert_eq!((&read, read.name(), read.is_signed()), (anna.identity(), "anna", true));
        assert_eq!(read.to_string(), format!("anna ({})", &read.id()[..16]));
    }

    #[test]
    fn a_signature_does_not_fit_another_message() {
        let headers = SigningIdentity::generate("anna").unwrap().headers(MESSAGE);
        for other in [
            Signed { subject: "seabattle.results.run.2", ..MESSAGE },
            Signed { job: b"jobs", ..MESSAGE },
            Signed { payload: b"resulT", ..MESSAGE },
            Signed { job: b"jobr", payload: b"esult", ..MESSAGE },
        ] {
            assert_eq!(sender(Some(&headers), other), None);
        }
        let boris = SigningIdentity::generate("boris").unwrap();
        let mut forged = headers.clone();
        forged.insert(KEY_HEADER, boris.identity().id());
        assert_eq!(sender(Some(&forged), MESSAGE), None, "the key of another worker");
        let mut renamed = headers;
        renamed.insert(NAME_HEADER, "boris");
        assert_eq!(sender(Some(&renamed), MESSAGE), None, "the name of another worker");
        for key in ["", "x", "abc", "ab"] {
            forged.insert(KEY_HEADER, key);
            assert_eq!(sender(Some(&forged), MESSAGE), None, "no key: {key}");
        }
    }

    #[test]
    fn a_message_without_a_signature_has_an_unproved_sender() {
        for headers in [None, Some(HeaderMap::new())] {
            let read = sender(headers.as_ref(), MESSAGE).unwrap();
            assert!(!read.is_signed());
            assert_eq!(read.short_id(), "unsigned");
        }
    }

    #[test]
    fn foreign_text_cannot_move_the_cursor() {
        assert_eq!(printable("a\u{1b}[2Jb\nc", 5), "a [2J");
    }
}
