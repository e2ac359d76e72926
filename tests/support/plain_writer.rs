//! Requests written from the specification's layouts (native_protocol_v3, v4, v5 §2 and §4.1), in the plainest way, with none of the
//! crate's code: only its names for what a request says.

use cqlwire::conn::FrameOptions;
use cqlwire::message::{Bound, Params, Request, RequestOptions, Statement};

/// What the layout depends on.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    pub version: u8,
    /// SCYLLA_USE_METADATA_ID.
    pub metadata_id: bool,
}

/// A frame: header, custom payload, message.
pub fn frame(layout: Layout, request: &Request<'_>, stream: i16, options: &FrameOptions<'_>) -> Vec<u8> {
    frame_of(layout, opcode(request), stream, options, &body(layout, request))
}

/// A frame of a body that is ready.
pub fn frame_of(layout: Layout, opcode: u8, stream: i16, options: &FrameOptions<'_>, message: &[u8]) -> Vec<u8> {
    let mut payload = Vec::new();
    if !options.custom_payload.is_empty() {
        payload.extend((options.custom_payload.len() as u16).to_be_bytes());
        for (name, bytes) in &options.custom_payload {
            payload.extend(string(name));
            payload.extend(value(bytes.map_or(Bound::Null, Bound::Bytes)));
        }
    }
    let mut flags = 0;
    flags |= if options.tracing { 0x02 } else { 0 };
    flags |= if options.custom_payload.is_empty() { 0 } else { 0x04 };
    flags |= if options.use_beta { 0x10 } else { 0 };
    let mut frame = vec![layout.version, flags];
    frame.extend(stream.to_be_bytes());
    frame.push(opcode);
    frame.extend(((payload.len() + message.len()) as u32).to_be_bytes());
    frame.extend(payload);
    frame.extend(message);
    frame
}

fn opcode(request: &Request<'_>) -> u8 {
    match request {
        Request::Startup(_) => 0x01,
        Request::Options => 0x05,
        Request::Query(_) => 0x07,
        Request::Prepare(_) => 0x09,
        Request::Execute(_) => 0x0a,
        Request::Register(_) => 0x0b,
        Request::Batch(_) => 0x0d,
        Request::AuthResponse(_) => 0x0f,
    }
}

/// The message alone.
pub fn body(layout: Layout, request: &Request<'_>) -> Vec<u8> {
    let v5 = layout.version >= 5;
    match request {
        Request::Options => vec![],
        Request::Startup(startup) => {
            let mut out = count(startup.options.len());
            for (key, value) in &startup.options {
                out.extend([string(key), string(value)].concat());
            }
            out
        }
        Request::Register(register) => {
            let mut out = count(register.event_types.len());
            register.event_types.iter().for_each(|name| out.extend(string(name)));
            out
        }
        Request::AuthResponse(response) => value(response.token.map_or(Bound::Null, Bound::Bytes)),
        Request::Prepare(prepare) => {
            let mut out = long_string(prepare.query);
            if v5 {
                out.extend((prepare.keyspace.is_some() as u32).to_be_bytes());
                prepare.keyspace.iter().for_each(|keyspace| out.extend(string(keyspace)));
            }
            out
        }
        Request::Query(query) => [long_string(query.query), params(v5, &query.params)].concat(),
        Request::Execute(execute) => {
            let mut out = short_bytes(execute.id);
            if v5 || layout.metadata_id {
                out.extend(short_bytes(execute.result_metadata_id));
            }
            out.extend(params(v5, &execute.params));
            out
        }
        Request::Batch(batch) => {
            let mut out = vec![batch.batch_type];
            out.extend(count(batch.statements.len()));
            for (statement, values) in &batch.statements {
                match statement {
                    Statement::Text(text) => out.extend([vec![0], long_string(text)].concat()),
                    Statement::Prepared(id) => out.extend([vec![1], short_bytes(id)].concat()),
                }
                out.extend(count(values.len()));
                values.iter().for_each(|bound| out.extend(value(*bound)));
            }
            out.extend(batch.consistency.0.to_be_bytes());
            let (flags, tail) = options(&batch.options);
            out.extend(flags_field(v5, flags));
            out.extend(tail);
            out
        }
    }
}

fn params(v5: bool, params: &Params<'_>) -> Vec<u8> {
    let (mut flags, tail) = options(&params.options);
    let mut values = Vec::new();
    if let Some(all) = &params.values {
        flags |= 0x01;
        flags |= if params.names.is_empty() { 0 } else { 0x40 };
        values.extend(count(all.len()));
        for (index, bound) in all.iter().enumerate() {
            params.names.get(index).into_iter().for_each(|name| values.extend(string(name)));
            values.extend(value(*bound));
        }
    }
    [params.consistency.0.to_be_bytes().to_vec(), flags_field(v5, flags), values, tail].concat()
}

/// Flags and what stands after the values.
fn options(options: &RequestOptions<'_>) -> (u32, Vec<u8>) {
    let (mut flags, mut out) = (0, Vec::new());
    if options.skip_metadata {
        flags |= 0x02;
    }
    if let Some(size) = options.page_size {
        flags |= 0x04;
        out.extend(size.to_be_bytes());
    }
    if let Some(state) = options.paging_state {
        flags |= 0x08;
        out.extend(value(Bound::Bytes(state)));
    }
    if let Some(level) = options.serial_consistency {
        flags |= 0x10;
        out.extend(level.0.to_be_bytes());
    }
    if let Some(timestamp) = options.timestamp {
        flags |= 0x20;
        out.extend(timestamp.to_be_bytes());
    }
    if let Some(keyspace) = options.keyspace {
        flags |= 0x80;
        out.extend(string(keyspace));
    }
    if let Some(now) = options.now_in_seconds {
        flags |= 0x100;
        out.extend(now.to_be_bytes());
    }
    (flags, out)
}

fn flags_field(v5: bool, flags: u32) -> Vec<u8> {
    if v5 { flags.to_be_bytes().to_vec() } else { vec![flags as u8] }
}

fn value(bound: Bound<'_>) -> Vec<u8> {
    match bound {
        Bound::Null => vec![0xff, 0xff, 0xff, 0xff],
        Bound::Unset => vec![0xff, 0xff, 0xff, 0xfe],
        Bound::Bytes(bytes) => [&(bytes.len() as u32).to_be_bytes()[..], bytes].concat(),
    }
}

fn count(number: usize) -> Vec<u8> {
    (number as u16).to_be_bytes().to_vec()
}

fn string(text: &str) -> Vec<u8> {
    short_bytes(text.as_bytes())
}

fn short_bytes(bytes: &[u8]) -> Vec<u8> {
    [&(bytes.len() as u16).to_be_bytes()[..], bytes].concat()
}

fn long_string(text: &str) -> Vec<u8> {
    [&(text.len() as u32).to_be_bytes()[..], text.as_bytes()].concat()
}
