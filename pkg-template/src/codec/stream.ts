// A web stream of bytes → a web stream of messages, for whoever has one.
import type { Codec, Message, ReceivedRequest, Role } from "../../types/index.js";
import { Codec as OwnCodec } from "./codec.ts";
import { CqlError } from "./errors.ts";
import { describe, reading } from "./given.ts";

type Incoming<R> = R extends "server" ? ReceivedRequest : Message;

export function messageStream<R extends Role = "client">(codec: Codec<R>): TransformStream<Uint8Array | ArrayBuffer, Incoming<R>> {
  if (!reading("messageStream", () => codec instanceof OwnCodec)) throw new CqlError("CQL_OPTION", `messageStream has ${describe(codec)}: expected a Codec`);
  return new TransformStream({
    transform(chunk, controller) {
      for (const message of codec.feed(chunk)) {
        // The readable side gives the messages before it, and then fails with it.
        if ("fatal" in message) controller.error(message.error);
        else controller.enqueue(message as Incoming<R>);
      }
    },
    flush(controller) {
      const left = codec.waiting;
      if (left > 0) controller.error(new CqlError("CQL_FRAMING", `the stream ends inside a message, of which ${left} bytes have come`));
    },
  });
}
