//! Any bytes as the body of any message, in every version. What can be read can be written, reads again as the same, and is then
//! written the same: the second form is the canonical one.
//!
//! Input: opcode, flags of the frame, body.

use super::{PLAIN, forget_places};
use crate::frame::{Header, Prefix};
use crate::message::{Request, Response};
use crate::route::tablet::Tablet;
use crate::spec::{Dialect, Opcode};
use crate::wire::{Error, ErrorKind, Reader, Writer};

pub(super) fn run(data: &[u8]) -> usize {
    let [code, flags, body @ ..] = data else { return 0 };
    let opcode = Opcode::ALL[usize::from(*code) % Opcode::ALL.len()];
    for dialect in PLAIN {
        let (version, is_response) = (dialect.version.number(), opcode.is_response());
        let header = Header { version, is_response, flags: *flags, stream: 1, opcode, length: body.len() };
        let mut r = Reader::new(body);
        let Ok(prefix) = Prefix::read(&mut r, &header, dialect) else { continue };
        prefix_is_written_back(&prefix, &header, dialect);
        if let Ok(Some(tablet)) = Tablet::of(&prefix.custom_payload) {
            assert_eq!(Tablet::decode(&tablet.encode().unwrap()), Ok(Some(tablet)));
        }
        let (as_request, as_response) = (request(opcode, r.rest(), dialect), response(opcode, r.rest(), dialect));
        let wrong = if is_response { as_request } else { as_response };
        assert_eq!(wrong.map_err(|error| error.kind), Err(ErrorKind::WrongDirection));
    }
    data.len()
}

fn prefix_is_written_back(prefix: &Prefix<'_>, header: &Header, dialect: Dialect) {
    let mut w = Writer::new();
    let flags = prefix.write(&mut w).unwrap_or_else(|error| panic!("{error}: {prefix:?}"));
    let mut r = Reader::new(w.as_slice());
    let again = Prefix::read(&mut r, &Header { flags, ..*header }, dialect);
    assert_eq!((again.as_ref(), r.left()), (Ok(prefix), 0));
}

macro_rules! both_ways {
    ($function:ident, $message:ident, $forget:expr) => {
        fn $function(opcode: Opcode, body: &[u8], dialect: Dialect) -> Result<(), Error> {
            let mut message = $message::decode(opcode, &mut Reader::new(body), dialect)?;
            assert_eq!(message.opcode(), opcode);
            let mut w = Writer::new();
            if let Err(error) = message.encode(&mut w, dialect) {
                assert!(may_refuse(&error), "{error}: {message:?}");
                return Ok(());
            }
            let mut again = $message::decode(opcode, &mut Reader::new(w.as_slice()), dialect)
                .unwrap_or_else(|error| panic!("{error}, of what was written for {message:?}: {w:?}"));
            let forget: fn(&mut $message<'_>) = $forget;
            forget(&mut message);
            forget(&mut again);
            assert_eq!(again, message, "{dialect:?}");
            let mut second = Writer::new();
            again.encode(&mut second, dialect).unwrap();
            assert_eq!(second.as_slice(), w.as_slice(), "{dialect:?} {message:?}");
            Ok(())
        }
    };
}

both_ways!(request, Request, |_| {});
both_ways!(response, Response, |response| {
    forget_places(response);
    if let Response::Supported(supported) = response {
        assert!(supported.startup_options(PLAIN[1]).len() <= supported.options.len(), "no more is asked for than is offered");
    }
});

/// What may come but is not sent by us: a serial consistency that is none; class names that servers write shorter than we do.
fn may_refuse(error: &Error) -> bool {
    matches!((error.kind, error.what), (ErrorKind::BadValue, "params.serial_consistency") | (ErrorKind::TooLarge, "type.class"))
}
