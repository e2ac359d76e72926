// The only file of the client that knows sockets and the event loop.
import { connect } from "node:net";
import { nextTick } from "node:process";
import { setImmediate } from "node:timers";

export interface Transport {
  /** False when more waits to be sent than is good: then nothing should be added until `onDrain`. */
  write(bytes: Uint8Array): boolean;
  /** Ends in good order: what was written is sent. Resolves when the socket is gone, which it is after `grace` ms at the latest. */
  close(grace: number): Promise<void>;
  /** Ends at once. */
  destroy(): void;
}

export interface TransportEvents {
  /** `chunk` is valid only during the call, and may be a part of a larger buffer. */
  onData(chunk: Uint8Array): void;
  onDrain(): void;
  /** The socket ended, for whatever reason, but for `destroy`. Called once; nothing follows. */
  onEnd(cause: Error | null): void;
}

/** Begins to connect. What is written before the socket is open is sent when it is. */
export function openTransport(host: string, port: number, events: TransportEvents): Transport {
  const socket = connect({ host, port });
  socket.setNoDelay(true);
  socket.setKeepAlive(true);
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));

  let isOver = false;
  const over = (cause: Error | null): void => {
    if (isOver) return;
    isOver = true;
    socket.destroy();
    events.onEnd(cause);
  };
  socket.on("data", (chunk) => {
    if (!isOver) events.onData(chunk);
  });
  socket.on("drain", () => {
    if (!isOver) events.onDrain();
  });
  // Runtimes differ in which of these come and in what order: the first one counts. The listeners stay, since an error
  // that nobody listens for would end the process.
  socket.on("end", () => over(null));
  socket.on("error", over);
  socket.on("close", () => over(null));

  return {
    write: (bytes) => isOver || socket.write(bytes),
    close(grace) {
      socket.end();
      // Some servers never acknowledge.
      const timer = setTimeout(() => socket.destroy(), grace);
      return closed.finally(() => clearTimeout(timer));
    },
    destroy() {
      isOver = true;
      socket.destroy();
    },
  };
}

/** Calls `action` when the code that runs now, and the promises it settles, are done: what they write can then share one packet. */
export const afterThisTick: (action: () => void) => void = nextTick;

/** Calls `action` when the timers that are due have run too. */
export const afterDueTimers: (action: () => void) => void = setImmediate;

/** A clock in ms that never goes back. */
export const now = (): number => performance.now();
