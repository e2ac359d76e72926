//! Plain objects from JavaScript → messages: the cold ones, whose fields are few. Their names and kinds have been checked there
//! (`codec/check.ts`); what is missing or of another kind all the same is an error by its name.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::net::IpAddr;

use wasm_bindgen::JsValue;

use crate::conn::{Conn, FrameOptions};
use crate::frame::Prefix;
use crate::message::error::{ErrorDetail, Failures};
use crate::message::event::{ClientRoutesChange, NodeChange, UnknownEvent};
use crate::message::{AuthChallenge, AuthResponse, AuthSuccess, Authenticate, ColumnSpec, ErrorMessage, Event, Prepare, Register};
use crate::message::{Request, Response, ResultMessage, SchemaChange, Startup, Supported};
use crate::spec::code::error as code;
use crate::spec::flag::metadata::can_mark_lwt;
use crate::spec::{Consistency, Dialect, Features, Native, Opcode, scylla};
use crate::value::{CqlType, TypeBudget, Udt, parse_type};
use crate::wire::{Error, ErrorKind, Result};

/// A field of an object; undefined where it cannot be read.
fn get(object: &JsValue, name: &str) -> JsValue {
    js_sys::Reflect::get(object, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED)
}

/// An array's items.
struct JsArray;

impl JsArray {
    fn of(value: &JsValue) -> Option<Vec<JsValue>> {
        js_sys::Array::is_array(value).then(|| js_sys::Array::from(value).to_vec())
    }
}

/// A `Uint8Array`'s bytes, copied.
struct JsBytes;

impl JsBytes {
    fn of(value: &JsValue) -> Option<Vec<u8>> {
        js_sys::ArrayBuffer::is_view(value).then(|| js_sys::Uint8Array::new(value).to_vec())
    }
}

/// An object's fields by name.
#[derive(Clone)]
struct Fields(JsValue);

impl Fields {
    fn get(&self, name: &str) -> JsValue {
        get(&self.0, name)
    }

    fn has(&self, name: &str) -> bool {
        !self.get(name).is_undefined()
    }

    /// null, or not there.
    fn is_null(&self, name: &str) -> bool {
        !self.has(name) || self.get(name).is_null()
    }

    fn text(&self, name: &'static str) -> Result<String> {
        self.get(name).as_string().ok_or(bad(name))
    }

    fn optional_text(&self, name: &'static str) -> Result<Option<String>> {
        if self.has(name) { self.text(name).map(Some) } else { Ok(None) }
    }

    fn int(&self, name: &'static str) -> Result<i32> {
        let number = self.get(name).as_f64().ok_or(bad(name))?;
        let int = number as i32;
        if f64::from(int) == number { Ok(int) } else { Err(bad(name)) }
    }

    fn unsigned(&self, name: &'static str) -> Result<u32> {
        let number = self.get(name).as_f64().ok_or(bad(name))?;
        let int = number as u32;
        if f64::from(int) == number { Ok(int) } else { Err(bad(name)) }
    }

    fn short(&self, name: &'static str) -> Result<u16> {
        u16::try_from(self.int(name)?).map_err(|_| Error::new(ErrorKind::OutOfRange, name, 0))
    }

    fn boolean(&self, name: &'static str) -> Result<bool> {
        self.get(name).as_bool().ok_or(bad(name))
    }

    fn bytes(&self, name: &'static str) -> Result<Vec<u8>> {
        JsBytes::of(&self.get(name)).ok_or(bad(name))
    }

    /// null is null.
    fn token(&self, name: &'static str) -> Result<Option<Vec<u8>>> {
        if self.get(name).is_null() { Ok(None) } else { self.bytes(name).map(Some) }
    }

    fn list(&self, name: &'static str) -> Result<Vec<JsValue>> {
        JsArray::of(&self.get(name)).ok_or(bad(name))
    }

    fn texts(&self, name: &'static str) -> Result<Vec<String>> {
        self.list(name)?.iter().map(|item| item.as_string().ok_or(bad(name))).collect()
    }

    /// By name; a number that has none is a number.
    fn consistency(&self, name: &'static str) -> Result<Consistency> {
        match self.get(name).as_string() {
            Some(text) => Consistency::ALL.iter().find(|(_, level)| *level == text).map(|(level, _)| *level).ok_or(bad(name)),
            None => self.short(name).map(Consistency),
        }
    }

    fn address(&self, name: &'static str) -> Result<IpAddr> {
        self.text(name)?.parse().map_err(|_| bad(name))
    }
}

#[cold]
fn bad(name: &'static str) -> Error {
    Error::new(ErrorKind::BadValue, name, 0)
}

fn refs(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

/// Pairs of text, as `Object.entries` gives them.
fn pairs(list: &[JsValue], name: &'static str) -> Result<Vec<(String, JsValue)>> {
    let pair = |entry: &JsValue| {
        let [key, value]: [JsValue; 2] = JsArray::of(entry)?.try_into().ok()?;
        Some((key.as_string()?, value))
    };
    list.iter().map(|entry| pair(entry).ok_or(bad(name))).collect()
}

/// Appends a request that has no values.
pub(super) fn send(conn: &mut Conn, message: &JsValue, stream: i16, frame: &FrameOptions<'_>) -> Result<()> {
    let fields = Fields(message.clone());
    let opcode = fields.text("opcode")?;
    let mut send = |request: Request<'_>| conn.send(&request, stream, frame);
    match opcode.as_str() {
        "STARTUP" => {
            let options = pairs(&fields.list("options")?, "options")?;
            let options = options.iter().map(|(key, value)| Some((key.clone(), value.as_string()?))).collect::<Option<Vec<_>>>();
            let options = options.ok_or(bad("options"))?;
            send(Request::Startup(Startup { options: options.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect() }))
        }
        "OPTIONS" => send(Request::Options),
        "PREPARE" => {
            let (query, keyspace) = (fields.text("query")?, fields.optional_text("keyspace")?);
            send(Request::Prepare(Prepare { query: &query, keyspace: keyspace.as_deref() }))
        }
        "REGISTER" => send(Request::Register(Register { event_types: refs(&fields.texts("eventTypes")?) })),
        "AUTH_RESPONSE" => send(Request::AuthResponse(AuthResponse { token: fields.token("token")?.as_deref() })),
        _ => Err(bad("opcode")),
    }
}

/// Appends a response other than Rows and Prepared, which carry types.
pub(super) fn reply(conn: &mut Conn, message: &JsValue, stream: i16, prefix: &Prefix<'_>) -> Result<()> {
    let fields = Fields(message.clone());
    let opcode = fields.text("opcode")?;
    let opcode = Opcode::ALL.iter().find(|known| known.name() == opcode).ok_or(bad("opcode"))?;
    if *opcode == Opcode::Error {
        return reply_error(conn, &fields, stream, prefix);
    }
    let mut reply = |response: Response<'_>| conn.reply(&response, stream, prefix);
    match opcode {
        Opcode::Ready => reply(Response::Ready),
        Opcode::Authenticate => reply(Response::Authenticate(Authenticate { authenticator: &fields.text("authenticator")? })),
        Opcode::Supported => with_supported(&fields.list("options")?, |supported| reply(Response::Supported(supported)))?,
        Opcode::AuthChallenge => reply(Response::AuthChallenge(AuthChallenge { token: fields.token("token")?.as_deref() })),
        Opcode::AuthSuccess => reply(Response::AuthSuccess(AuthSuccess { token: fields.token("token")?.as_deref() })),
        Opcode::Event => match fields.text("eventType")?.as_str() {
            "CLIENT_ROUTES_CHANGE" => {
                let (change_type, connections, hosts) =
                    (fields.text("changeType")?, fields.texts("connectionIds")?, fields.texts("hostIds")?);
                let change = ClientRoutesChange { change_type: &change_type, connection_ids: refs(&connections), host_ids: refs(&hosts) };
                reply(Response::Event(Event::ClientRoutesChange(change)))
            }
            "SCHEMA_CHANGE" => with_schema_change(&fields, |change| reply(Response::Event(Event::SchemaChange(change)))),
            "UNKNOWN" => {
                let (event_type, body) = (fields.text("unknownType")?, fields.bytes("body")?);
                reply(Response::Event(Event::Unknown(UnknownEvent { event_type: &event_type, body: &body })))
            }
            kind => {
                let change_type = fields.text("changeType")?;
                let (address, port) = (fields.address("address")?, fields.int("port")?);
                let change = NodeChange { change_type: &change_type, address, port };
                match kind {
                    "TOPOLOGY_CHANGE" => reply(Response::Event(Event::TopologyChange(change))),
                    "STATUS_CHANGE" => reply(Response::Event(Event::StatusChange(change))),
                    _ => Err(bad("eventType")),
                }
            }
        },
        Opcode::Result => match fields.text("kind")?.as_str() {
            "Void" => reply(Response::Result(ResultMessage::Void)),
            "Set_keyspace" => reply(Response::Result(ResultMessage::SetKeyspace { keyspace: &fields.text("keyspace")? })),
            "Schema_change" => with_schema_change(&fields, |change| reply(Response::Result(ResultMessage::SchemaChange(change)))),
            _ => Err(bad("kind")),
        },
        _ => Err(Error::new(ErrorKind::WrongDirection, "opcode", 0)),
    }
}

/// SUPPORTED of options that are pairs.
pub(super) fn with_supported<T>(options: &[JsValue], run: impl FnOnce(Supported<'_>) -> T) -> Result<T> {
    let options = pairs(options, "options")?;
    let texts = |list: &JsValue| JsArray::of(list)?.iter().map(JsValue::as_string).collect::<Option<Vec<_>>>();
    let options = options.iter().map(|(key, list)| Some((key, texts(list)?))).collect::<Option<Vec<_>>>().ok_or(bad("options"))?;
    Ok(run(Supported { options: options.iter().map(|(key, list)| (key.as_str(), refs(list))).collect() }))
}

/// ScyllaDB's extensions that a node has or a connection agreed on. The mask and the code that SUPPORTED would be passed over for are refused.
pub(super) fn features(object: &JsValue) -> Result<Features> {
    let fields = Fields(object.clone());
    let flag = |name| if fields.is_null(name) { Ok(false) } else { fields.boolean(name) };
    let lwt_mask = if fields.is_null("lwtMask") { None } else { Some(fields.unsigned("lwtMask")?) };
    let rate_limit_error = if fields.is_null("rateLimitError") { None } else { Some(fields.int("rateLimitError")?) };
    if lwt_mask.is_some_and(|mask| !can_mark_lwt(mask)) {
        return Err(bad("lwtMask"));
    }
    if rate_limit_error.is_some_and(|number| code::name(number).is_some()) {
        return Err(bad("rateLimitError"));
    }
    Ok(Features { metadata_id: flag("metadataId")?, tablets_v1: flag("tabletsV1")?, lwt_mask, rate_limit_error })
}

fn with_schema_change(fields: &Fields, reply: impl FnOnce(SchemaChange<'_>) -> Result<()>) -> Result<()> {
    let [change_type, target, keyspace] = ["changeType", "target", "keyspace"].map(|name| fields.text(name));
    let (change_type, target, keyspace) = (change_type?, target?, keyspace?);
    let name = fields.optional_text("name")?;
    let types = if fields.has("argumentTypes") { Some(fields.texts("argumentTypes")?) } else { None };
    let argument_types = types.as_deref().map(refs);
    reply(SchemaChange { change_type: &change_type, target: &target, keyspace: &keyspace, name: name.as_deref(), argument_types })
}

/// The fields that some code has.
const DETAIL_FIELDS: [&str; 17] = [
    "consistency",
    "required",
    "alive",
    "received",
    "blockFor",
    "writeType",
    "contentions",
    "dataPresent",
    "failures",
    "reasons",
    "keyspace",
    "table",
    "function",
    "argumentTypes",
    "statementId",
    "opType",
    "rejectedByCoordinator",
];

/// Those that `code` has here.
fn fields_of(code: i32, dialect: Dialect) -> &'static [&'static str] {
    if !code::has_fields(code, dialect) {
        return &[];
    }
    match code {
        code::UNAVAILABLE => &["consistency", "required", "alive"],
        code::WRITE_TIMEOUT => &["consistency", "received", "blockFor", "writeType", "contentions"],
        code::READ_TIMEOUT => &["consistency", "received", "blockFor", "dataPresent"],
        code::READ_FAILURE => &["consistency", "received", "blockFor", "failures", "reasons", "dataPresent"],
        code::WRITE_FAILURE => &["consistency", "received", "blockFor", "failures", "reasons", "writeType"],
        code::FUNCTION_FAILURE => &["keyspace", "function", "argumentTypes"],
        code::CAS_WRITE_UNKNOWN => &["consistency", "received", "blockFor"],
        code::ALREADY_EXISTS => &["keyspace", "table"],
        code::UNPREPARED => &["statementId"],
        _ => &["opType", "rejectedByCoordinator"],
    }
}

fn reply_error(conn: &mut Conn, fields: &Fields, stream: i16, prefix: &Prefix<'_>) -> Result<()> {
    let dialect = conn.dialect();
    let (code, message) = (fields.int("code")?, fields.text("message")?);
    let mut reply = |detail| conn.reply(&Response::Error(ErrorMessage { code, message: &message, detail }), stream, prefix);
    // One that the code does not have here is refused, not dropped.
    let is_lacking = |name: &str| !fields_of(code, dialect).contains(&name) || name == "reasons" && !dialect.has_failure_reasons();
    if let Some(name) = DETAIL_FIELDS.iter().find(|name| fields.has(name) && is_lacking(name)) {
        let is_of_extension = matches!(*name, "opType" | "rejectedByCoordinator");
        let kind = if is_of_extension { ErrorKind::NotNegotiated } else { ErrorKind::Unsupported };
        return Err(Error::new(kind, name, 0));
    }
    if !code::has_fields(code, dialect) {
        return reply(ErrorDetail::None {});
    }
    let level = || fields.consistency("consistency");
    let (received, block_for) = (|| fields.int("received"), || fields.int("blockFor"));
    match code {
        code::UNAVAILABLE => {
            reply(ErrorDetail::Unavailable { consistency: level()?, required: fields.int("required")?, alive: fields.int("alive")? })
        }
        code::WRITE_TIMEOUT => {
            let contentions = if fields.has("contentions") { Some(fields.short("contentions")?) } else { None };
            let write_type = &fields.text("writeType")?;
            reply(ErrorDetail::WriteTimeout {
                consistency: level()?,
                received: received()?,
                block_for: block_for()?,
                write_type,
                contentions,
            })
        }
        code::READ_TIMEOUT => {
            let data_present = fields.boolean("dataPresent")?;
            reply(ErrorDetail::ReadTimeout { consistency: level()?, received: received()?, block_for: block_for()?, data_present })
        }
        code::READ_FAILURE => {
            let (failures, data_present) = (failures(fields, dialect.has_failure_reasons())?, fields.boolean("dataPresent")?);
            reply(ErrorDetail::ReadFailure {
                consistency: level()?,
                received: received()?,
                block_for: block_for()?,
                failures,
                data_present,
            })
        }
        code::WRITE_FAILURE => {
            let (failures, write_type) = (failures(fields, dialect.has_failure_reasons())?, &fields.text("writeType")?);
            reply(ErrorDetail::WriteFailure { consistency: level()?, received: received()?, block_for: block_for()?, failures, write_type })
        }
        code::FUNCTION_FAILURE => {
            let (keyspace, function) = (fields.text("keyspace")?, fields.text("function")?);
            let argument_types = fields.texts("argumentTypes")?;
            reply(ErrorDetail::FunctionFailure { keyspace: &keyspace, function: &function, argument_types: refs(&argument_types) })
        }
        code::CAS_WRITE_UNKNOWN => {
            reply(ErrorDetail::CasWriteUnknown { consistency: level()?, received: received()?, block_for: block_for()? })
        }
        code::ALREADY_EXISTS => reply(ErrorDetail::AlreadyExists { keyspace: &fields.text("keyspace")?, table: &fields.text("table")? }),
        code::UNPREPARED => reply(ErrorDetail::Unprepared { statement_id: &fields.bytes("statementId")? }),
        _ => {
            // The code that was agreed for rate limits.
            let op_type = match fields.get("opType").as_string() {
                Some(text) => scylla::OP_TYPES.iter().position(|name| *name == text).ok_or(bad("opType"))? as i32,
                None => fields.int("opType")?,
            };
            let op_type = u8::try_from(op_type).map_err(|_| Error::new(ErrorKind::OutOfRange, "opType", 0))?;
            reply(ErrorDetail::RateLimit { op_type, rejected_by_coordinator: fields.boolean("rejectedByCoordinator")? })
        }
    }
}

/// v4 says how many failed, v5 which and why, so the count must be theirs.
fn failures(fields: &Fields, with_reasons: bool) -> Result<Failures> {
    if !with_reasons {
        return Ok(Failures { count: fields.int("failures")?, reasons: Vec::new() });
    }
    let reasons = if fields.has("reasons") { fields.list("reasons")? } else { Vec::new() };
    let reason = |reason| {
        let fields = Fields(reason);
        Ok((fields.address("address")?, fields.short("code")?))
    };
    let reasons: Vec<_> = reasons.into_iter().map(reason).collect::<Result<_>>()?;
    let count = if fields.has("failures") { fields.int("failures")? } else { reasons.len() as i32 };
    if count as usize != reasons.len() { Err(Error::new(ErrorKind::WrongCount, "reasons", 0)) } else { Ok(Failures { count, reasons }) }
}

/// Columns as `Metadata.describe` gives them, their types also as text.
pub(super) fn columns(list: &JsValue) -> Result<Vec<ColumnSpec>> {
    let mut budget = TypeBudget::default();
    let mut column = |value| {
        let fields = Fields(value);
        let text = |name| Ok(fields.optional_text(name)?.unwrap_or_default());
        let ty = Arc::new(type_of(&fields.get("type"), &mut budget)?);
        Ok(ColumnSpec { keyspace: text("keyspace")?.into(), table: text("table")?.into(), name: text("name")?, ty })
    };
    let list = JsArray::of(list).ok_or(bad("columns"))?;
    list.into_iter().enumerate().map(|(index, value)| column(value).map_err(|error: Error| error.in_element(index))).collect()
}

fn type_of(value: &JsValue, budget: &mut TypeBudget) -> Result<CqlType> {
    if let Some(text) = value.as_string() {
        return parse_type(&text);
    }
    let fields = Fields(value.clone());
    let kind = fields.text("kind")?;
    budget.spend(0, |budget| {
        let mut of = match fields.has("of") {
            true => fields.list("of")?.iter().map(|child| type_of(child, budget).map(Arc::new)).collect::<Result<Vec<_>>>()?,
            false => Vec::new(),
        };
        let first = |of: &mut Vec<Arc<CqlType>>| if of.is_empty() { Err(bad("type.of")) } else { Ok(of.remove(0)) };
        Ok(match kind.as_str() {
            "list" => CqlType::List(first(&mut of)?),
            "set" => CqlType::Set(first(&mut of)?),
            "map" => CqlType::Map(first(&mut of)?, first(&mut of)?),
            "tuple" => CqlType::Tuple(of),
            "vector" => {
                let dimension = u32::try_from(fields.int("dimension")?).map_err(|_| bad("type.dimension"))?;
                CqlType::vector(Arc::unwrap_or_clone(first(&mut of)?), dimension).ok_or(bad("type.dimension"))?
            }
            "udt" => {
                let names = fields.texts("names")?;
                if names.len() != of.len() {
                    return Err(Error::new(ErrorKind::WrongCount, "type.names", 0));
                }
                let (keyspace, name) = (fields.text("keyspace")?, fields.text("name")?);
                CqlType::Udt(Arc::new(Udt { keyspace, name, fields: names.into_iter().zip(of).collect() }))
            }
            "custom" => CqlType::Custom(fields.text("name")?.into()),
            native => CqlType::Native(Native::from_name(native).ok_or(bad("type.kind"))?),
        })
    })
}
