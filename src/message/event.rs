//! EVENT (v5 §4.2.6; Scylla, Sending the CLIENT_ROUTES_CHANGE event): `<event_type>` and what it says. Stream -1.

use alloc::vec::Vec;
use core::net::IpAddr;

use super::SchemaChange;
use crate::wire::{Reader, Result, Writer};

/// Something that happened in the cluster.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize), serde(tag = "eventType", rename_all = "SCREAMING_SNAKE_CASE"))]
pub enum Event<'a> {
    /// NEW_NODE, REMOVED_NODE.
    TopologyChange(NodeChange<'a>),
    /// UP, DOWN.
    StatusChange(NodeChange<'a>),
    /// DDL.
    SchemaChange(SchemaChange<'a>),
    /// ScyllaDB: other addresses lead to its nodes. No option of SUPPORTED announces it: a server that has no such event refuses the
    /// REGISTER that names it.
    ClientRoutesChange(ClientRoutesChange<'a>),
    /// A type this crate does not know, with its bytes.
    #[cfg_attr(feature = "js", serde(rename = "UNKNOWN"))]
    Unknown(UnknownEvent<'a>),
}

/// A change of one node.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct NodeChange<'a> {
    /// What changed.
    pub change_type: &'a str,
    /// The node's address.
    #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::address"))]
    pub address: IpAddr,
    /// Its CQL port.
    pub port: i32,
}

/// A change of `system.client_routes`.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct ClientRoutesChange<'a> {
    /// UPDATE_NODES, the only one there is: routes were inserted, updated or deleted.
    pub change_type: &'a str,
    /// Connection ids of the routes.
    pub connection_ids: Vec<&'a str>,
    /// Host ids of the routes, as text.
    pub host_ids: Vec<&'a str>,
}

/// An event of unknown type.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize))]
pub struct UnknownEvent<'a> {
    /// Its type, as it came.
    #[cfg_attr(feature = "js", serde(rename = "unknownType"))]
    pub event_type: &'a str,
    /// What follows.
    #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::bytes"))]
    pub body: &'a [u8],
}

impl<'a> Event<'a> {
    /// Reads the body.
    pub fn decode(r: &mut Reader<'a>) -> Result<Event<'a>> {
        let event_type = r.string("EVENT.type")?;
        Ok(match event_type {
            "TOPOLOGY_CHANGE" => Event::TopologyChange(r.group("TOPOLOGY_CHANGE", None, NodeChange::decode)?),
            "STATUS_CHANGE" => Event::StatusChange(r.group("STATUS_CHANGE", None, NodeChange::decode)?),
            "SCHEMA_CHANGE" => Event::SchemaChange(r.group("SCHEMA_CHANGE", None, SchemaChange::decode)?),
            "CLIENT_ROUTES_CHANGE" => Event::ClientRoutesChange(r.group("CLIENT_ROUTES_CHANGE", None, ClientRoutesChange::decode)?),
            _ => Event::Unknown(UnknownEvent { event_type, body: r.take(r.left(), "EVENT.body")? }),
        })
    }

    /// Appends the body.
    pub fn encode(&self, w: &mut Writer) -> Result<()> {
        let event_type = match self {
            Event::TopologyChange(_) => "TOPOLOGY_CHANGE",
            Event::StatusChange(_) => "STATUS_CHANGE",
            Event::SchemaChange(_) => "SCHEMA_CHANGE",
            Event::ClientRoutesChange(_) => "CLIENT_ROUTES_CHANGE",
            Event::Unknown(event) => event.event_type,
        };
        w.string(event_type, "EVENT.type")?;
        match self {
            Event::TopologyChange(change) | Event::StatusChange(change) => change.encode(w),
            Event::SchemaChange(change) => change.encode(w),
            Event::ClientRoutesChange(change) => change.encode(w),
            Event::Unknown(event) => {
                w.put(event.body);
                Ok(())
            }
        }
    }
}

impl<'a> NodeChange<'a> {
    fn decode(r: &mut Reader<'a>) -> Result<NodeChange<'a>> {
        let change_type = r.string("EVENT.change_type")?;
        let (address, port) = r.inet("EVENT.address")?;
        Ok(NodeChange { change_type, address, port })
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.string(self.change_type, "EVENT.change_type")?;
        w.inetaddr(self.address);
        w.int(self.port);
        Ok(())
    }
}

impl<'a> ClientRoutesChange<'a> {
    fn decode(r: &mut Reader<'a>) -> Result<ClientRoutesChange<'a>> {
        Ok(ClientRoutesChange {
            change_type: r.string("EVENT.change")?,
            connection_ids: r.string_list("EVENT.connection_ids")?,
            host_ids: r.string_list("EVENT.host_ids")?,
        })
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.string(self.change_type, "EVENT.change")?;
        w.string_list(&self.connection_ids, "EVENT.connection_ids")?;
        w.string_list(&self.host_ids, "EVENT.host_ids")
    }
}
