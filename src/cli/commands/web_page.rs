//! Pages loaded from the web: how they are asked for, and which addresses are refused.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use clap::Args;

use crate::dom::Limits;
use crate::error::{Error, PageProblem, Result};

/// How pages are loaded from the web.
#[derive(Debug, Clone, Default, Args)]
pub struct WebOptions {
    /// Seconds to wait for a page on the web [default: 30]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub timeout: Option<u64>,
    /// Load pages of this machine and of private networks too
    ///
    /// Without it, such an address is refused, even if a name or a redirect of a public server leads to it. Otherwise addresses
    /// from strangers could read what only this machine may.
    #[arg(long)]
    pub private_addresses: bool,
    #[command(flatten)]
    pub agent: AgentOptions,
}

/// What servers are told of who asks.
#[derive(Debug, Clone, Default, Args)]
pub struct AgentOptions {
    /// What servers are told of who asks, such as a name with an address for questions [default: duramen/VERSION]
    #[arg(long, value_name = "TEXT", value_parser = agent)]
    pub user_agent: Option<String>,
}

fn agent(text: &str) -> std::result::Result<String, String> {
    match !text.trim().is_empty() && text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        true => Ok(text.to_owned()),
        false => {
            Err("write one line of ASCII characters, such as \"mybot/1.0 (+https://example.org/bot)\""
                .to_owned())
        }
    }
}

/// Seconds to wait for a page on the web where none are given.
const TIMEOUT: u64 = 30;

/// Bytes, charset and final address of a page on the web.
pub type Downloaded = (Vec<u8>, Option<String>, Option<String>);

/// That an address leads to one that is not public, and what to do.
fn private(host: &str, address: IpAddr) -> String {
    let leads = match host.trim_matches(['[', ']']) == address.to_string() {
        true => format!("{host} is"),
        false => format!("{host} leads to {address},"),
    };
    format!(
        "{leads} an address of this machine or of a private network; if you trust it, add --private-addresses"
    )
}

/// Refuses the address of a page that another program loads if it is not public. What that program finds when it looks the name up
/// again, and what the page itself asks for, is not seen here.
///
/// # Errors
/// [`Error::Page`] if its host leads to an address that is not public. One that is not found is no error: to load it is one.
#[cfg(feature = "chromium")]
pub fn check_address(address: &str, web: &WebOptions) -> Result<()> {
    let url = url::Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let Some(url) = url.filter(|_| !web.private_addresses) else { return Ok(()) };
    let found = url.socket_addrs(|| None).unwrap_or_default();
    match found.iter().map(std::net::SocketAddr::ip).find(|&address| !is_public(address)) {
        Some(ip) => {
            let host = url.host_str().unwrap_or_default();
            Err(Error::page(address, PageProblem::Failed(format!("cannot be loaded: {}", private(host, ip)))))
        }
        None => Ok(()),
    }
}

/// Loads a page from the web, over http or https, by way of at most ten redirections; never more of it than the limit and one byte.
///
/// # Errors
/// [`Error::Page`] if it cannot be loaded, has a private address or takes too long.
#[cfg(feature = "datasets")]
pub fn download(address: &str, limits: &Limits, web: &WebOptions) -> Result<Downloaded> {
    use std::io::Read;

    use ureq::unversioned::resolver::DefaultResolver;
    use ureq::unversioned::transport::DefaultConnector;

    use crate::store::USER_AGENT;

    let failed = |problem| Error::page(address, PageProblem::Failed(problem));
    let is_web = ["http://", "https://"]
        .iter()
        .any(|start| address.get(..start.len()).is_some_and(|given| given.eq_ignore_ascii_case(start)));
    if !is_web {
        return Err(failed("cannot be loaded: it does not begin with http:// or https://".to_owned()));
    }
    let seconds = web.timeout.unwrap_or(TIMEOUT);
    let problem = |error: ureq::Error| match error {
        ureq::Error::Timeout(_) => Error::page(address, PageProblem::Timeout { seconds }),
        ureq::Error::Other(reason) => failed(format!("cannot be loaded: {reason}")),
        other => failed(format!("cannot be loaded: {other}")),
    };
    let config = ureq::Agent::config_builder()
        .timeout_global(Some(Duration::from_secs(seconds)))
        .user_agent(web.agent.user_agent.as_deref().unwrap_or(USER_AGENT))
        .build();
    let agent = if web.private_addresses {
        ureq::Agent::new_with_config(config)
    } else {
        let public = public_only::PublicOnly(DefaultResolver::default());
        ureq::Agent::with_parts(config, DefaultConnector::new(), public)
    };
    let mut response = agent.get(address).call().map_err(problem)?;
    let charset = response.body().charset().map(str::to_owned);
    let end = ureq::ResponseExt::get_uri(&response).to_string();
    let mut bytes = Vec::new();
    // Bounded as unpacked: a limit of the body itself is one of what is sent.
    let mut body = response.body_mut().as_reader().take(limits.max_bytes as u64 + 1);
    body.read_to_end(&mut bytes).map_err(|error| problem(error.into()))?;
    Ok((bytes, charset, Some(end)))
}

/// Says that it cannot.
#[cfg(not(feature = "datasets"))]
pub fn download(_address: &str, _limits: &Limits, _web: &WebOptions) -> Result<Downloaded> {
    Err(Error::built_without("datasets", "loads pages from the web"))
}

#[cfg(feature = "datasets")]
mod public_only {
    use ureq::config::Config;
    use ureq::http::Uri;
    use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
    use ureq::unversioned::transport::NextTimeout;

    use super::{is_public, private};

    /// Looks names up and refuses those that lead to an address that is not public. Every connection, also of a redirection, goes to the
    /// address that was looked at here, so that a name cannot lead elsewhere when it is looked up again.
    #[derive(Debug)]
    pub struct PublicOnly(pub DefaultResolver);

    impl Resolver for PublicOnly {
        fn resolve(
            &self,
            uri: &Uri,
            config: &Config,
            timeout: NextTimeout,
        ) -> Result<ResolvedSocketAddrs, ureq::Error> {
            let found = self.0.resolve(uri, config, timeout)?;
            // The proxy of the environment is the user's, and decides itself where it goes.
            let is_proxy = config.proxy().is_some_and(|proxy| proxy.uri().authority() == uri.authority());
            match found.iter().map(|address| address.ip()).find(|&address| !is_public(address)) {
                Some(address) if !is_proxy => {
                    Err(ureq::Error::Other(private(uri.host().unwrap_or_default(), address).into()))
                }
                _ => Ok(found),
            }
        }
    }
}

/// Whether an address is one of the public internet, by the registries of special addresses (RFC 6890 and its successors).
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_special = matches!(
        (a, b, c),
        (0 | 240.., ..) | (100, 64..=127, _) | (192, 0, 0) | (192, 88, 99) | (198, 18 | 19, _)
    );
    !(is_special
        || address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation())
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(mapped) = address.to_ipv4_mapped() {
        return is_public_v4(mapped);
    }
    match address.segments() {
        // NAT64: the address of the fourth version is in the last 32 bits.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            is_public_v4(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)))
        }
        // Of what is given out as global: tunnels (Teredo, 6to4), and what is for protocols and documentation.
        [0x2001, 0..=0x1ff, ..] | [0x2001, 0xdb8, ..] | [0x2002, ..] | [0x3fff, 0..=0xfff, ..] => false,
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_machines_and_private_networks_are_not_public() {
        for text in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.8.8.8",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::7f00:1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(text.parse().unwrap()), "{text}");
        }
        for text in [
            "1.1.1.1",
            "8.8.8.8",
            "100.63.255.255",
            "100.128.0.1",
            "172.15.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "198.17.0.1",
            "198.20.0.1",
            "223.255.255.254",
            "2606:4700::1111",
            "2001:4860:4860::8888",
            "2a00:1450::1",
            "::ffff:8.8.8.8",
            "64:ff9b::808:808",
        ] {
            assert!(is_public(text.parse().unwrap()), "{text}");
        }
    }
}
