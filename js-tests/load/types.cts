import cqlwire = require("cqlwire");
import client = require("cqlwire/client");
export const both: [object, object] = [cqlwire, client];
