// What the page shows who has nothing at hand: a short session of v5 as both sides write it, in segments with LZ4.
import { Codec, encodeValue } from "../codec/index.ts";
import { hex } from "./link.ts";

export function sample(): string {
  const established = { version: 5, compression: "lz4" } as const;
  const [client, server] = [new Codec({ version: 5 }), new Codec({ role: "server", version: 5 })];
  const [later, answers] = [new Codec({ established }), new Codec({ role: "server", established })];
  const columns = [
    { keyspace: "shop", table: "docs", name: "id", type: "int" },
    { keyspace: "shop", table: "docs", name: "title", type: "text" },
    { keyspace: "shop", table: "docs", name: "embedding", type: "vector<float, 3>" },
  ];
  const [bind] = [columns.slice(0, 1)];
  const statement = { id: Uint8Array.of(0x5e, 0x1e, 0xc7), resultMetadataId: Uint8Array.of(0x0d, 0x0c, 0x05) };
  const prepared = { opcode: "RESULT", kind: "Prepared", ...statement, pkIndices: [0], bind, result: columns } as const;
  const rows = [
    { id: 7, title: "Night", embedding: [1, 0, 0.5] },
    { id: 7, title: "Noon", embedding: [0, 1, -0.25] },
  ];
  const messages = [
    client.encode({ opcode: "STARTUP", options: { CQL_VERSION: "3.0.0", COMPRESSION: "lz4" } }, 0),
    server.encode({ opcode: "READY" }, 0),
    later.encode({ opcode: "PREPARE", query: "SELECT id, title, embedding FROM shop.docs WHERE id = ?" }, 1),
    answers.encode(prepared, 1),
    later.encode({ opcode: "EXECUTE", ...statement, params: [encodeValue("int", 7)], skipMetadata: true, pageSize: 5000 }, 2),
    answers.encode({ opcode: "RESULT", kind: "Rows", metadata: columns, rows, noMetadata: true }, 2),
    later.encode({ opcode: "QUERY", query: "SELECT * FROM shop.carts", consistency: "QUORUM" }, 3),
    answers.encode({ opcode: "ERROR", code: 0x1000, message: "Cannot achieve consistency level QUORUM", consistency: "QUORUM", required: 2, alive: 1 }, 3),
  ];
  return messages.map((bytes) => hex(bytes)).join("\n");
}
