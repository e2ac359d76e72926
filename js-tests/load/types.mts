import * as cqlwire from "cqlwire";
import * as client from "cqlwire/client";
export const both: [object, object] = [cqlwire, client];
