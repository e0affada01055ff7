//! Clients: who asks, and who pays.

use std::net::{IpAddr, Ipv6Addr};

/// One address, or a block of addresses that belongs to one client.
///
/// An IPv6 client usually has a whole /64, so all addresses of it count as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct AddressBlock(IpAddr);

impl AddressBlock {
    pub(crate) fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(address) => IpAddr::V4(address),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
        })
    }
}

/// The client behind a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Client {
    /// `None` for work that the server does by itself, such as games of a node that died.
    pub(crate) address: Option<AddressBlock>,
    /// The fingerprint of the seat that the client has proved.
    pub(crate) seat: Option<String>,
}

impl Client {
    pub(crate) fn at(address: IpAddr) -> Self {
        Self { address: Some(AddressBlock::of(address)), seat: None }
    }

    pub(crate) fn with_seat(self, seat: Option<String>) -> Self {
        Self { seat, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::AddressBlock;

    #[test]
    fn an_ipv6_network_of_64_bits_is_one_client_and_an_ipv4_address_one() {
        let block = |text: &str| AddressBlock::of(text.parse().unwrap());
        assert_eq!(block("2001:db8:1:2::1"), block("2001:db8:1:2:ffff::9"));
        assert_ne!(block("2001:db8:1:2::1"), block("2001:db8:1:3::1"));
        assert_ne!(block("192.0.2.1"), block("192.0.2.2"));
        assert_eq!(block("192.0.2.1"), block("::ffff:192.0.2.1"));
    }
}
