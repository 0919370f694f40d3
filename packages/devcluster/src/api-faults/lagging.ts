/**
 * A stream that lags: every chunk, and the end, comes late by the same time, as through a slow proxy. It reads the
 * source without waiting for its reader: otherwise each delay would start only when the reader takes the previous
 * chunk, and the lag would grow without bound.
 */
import { type Clock, sleep } from '@tandem/runtime';

export async function* lagging(
  body: AsyncIterable<Uint8Array>,
  options: { readonly clock: Clock; readonly delayMs: number; readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const { clock, delayMs, signal } = options;
  const sent: Sent[] = [];
  let wake = (): void => {};
  const send = (what: Omit<Sent, 'dueMs'>): void => {
    sent.push({ ...what, dueMs: clock.monotonic() + delayMs });
    wake();
  };
  void readAll(body, send);
  for (;;) {
    const next = sent.shift();
    if (next === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    await sleep(clock, next.dueMs - clock.monotonic(), signal);
    if (next.chunk !== undefined) yield next.chunk;
    else if ('failure' in next) throw next.failure;
    else return;
  }
}

/** A chunk, or the end of them, which may be a failure. */
interface Sent {
  readonly chunk?: Uint8Array;
  readonly failure?: unknown;
  readonly dueMs: number;
}

async function readAll(
  body: AsyncIterable<Uint8Array>,
  send: (what: Omit<Sent, 'dueMs'>) => void,
): Promise<void> {
  try {
    for await (const chunk of body) send({ chunk });
    send({});
  } catch (failure) {
    send({ failure });
  }
}
