// A promise with a time limit and an AbortSignal. It settles once, whoever comes first; then timer and listener are gone.
import { now } from "./transport.ts";

/** What a call may take, over all the requests it needs. */
export interface Limits {
  /** In ms, as given. */
  readonly timeout: number;
  /** On the clock of `now`. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

export const limits = (timeout: number, signal?: AbortSignal): Limits => ({ timeout, deadline: now() + timeout, signal });

export class Waiter<T> {
  readonly promise: Promise<T>;
  isSettled = false;
  #resolve!: (value: T) => void;
  #reject!: (error: Error) => void;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort: (() => void) | undefined;

  /** `giveUp` makes the error for when the time is up or the signal fires. */
  constructor({ deadline, signal }: Limits, giveUp: (reason: "timeout" | "abort") => Error) {
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const left = deadline - now();
    if (signal?.aborted || left <= 0) {
      this.reject(giveUp(signal?.aborted ? "abort" : "timeout"));
      return;
    }
    this.#timer = setTimeout(() => this.reject(giveUp("timeout")), left);
    if (signal) {
      this.#signal = signal;
      this.#onAbort = () => this.reject(giveUp("abort"));
      listen(signal, this.#onAbort);
    }
  }

  resolve(value: T): void {
    if (this.#settle()) this.#resolve(value);
  }

  reject(error: Error): void {
    if (this.#settle()) this.#reject(error);
  }

  #settle(): boolean {
    if (this.isSettled) return false;
    this.isSettled = true;
    clearTimeout(this.#timer);
    if (this.#signal && this.#onAbort) unlisten(this.#signal, this.#onAbort);
    return true;
  }
}

// One listener a signal, however many calls share it: Node.js warns of a leak from the eleventh on.
const listeners = new WeakMap<AbortSignal, { actions: Set<() => void>; listener: () => void }>();

function listen(signal: AbortSignal, action: () => void): void {
  const known = listeners.get(signal);
  if (known) return void known.actions.add(action);
  const actions = new Set([action]);
  const listener = (): void => actions.forEach((act) => act());
  listeners.set(signal, { actions, listener });
  signal.addEventListener("abort", listener);
}

function unlisten(signal: AbortSignal, action: () => void): void {
  const known = listeners.get(signal);
  if (!known?.actions.delete(action) || known.actions.size > 0) return;
  listeners.delete(signal);
  signal.removeEventListener("abort", known.listener);
}
