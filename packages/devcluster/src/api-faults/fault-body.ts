/** Faults in the body of an answer: it is truncated, garbled or delayed, or its stream falls silent. */
import type { Clock, Random } from '@tandem/runtime';
import { TransportError } from '@tandem/kube/transport';
import type { FaultKind } from './fault-plan.ts';
import { lagging } from './lagging.ts';

interface BodyPorts {
  readonly clock: Clock;
  readonly random: Random;
  /** For `lag`: how late each chunk comes. */
  readonly delayMs: number;
  readonly signal: AbortSignal;
}

export async function* faultyBody(
  kind: FaultKind,
  body: AsyncIterable<Uint8Array>,
  { clock, random, delayMs, signal }: BodyPorts,
): AsyncGenerator<Uint8Array> {
  // The fault hits one of the first chunks, because most streams have no later ones.
  let chunksBefore = Math.floor(random.next() * 8);
  if (kind === 'lag') {
    yield* lagging(body, { clock, delayMs, signal });
    return;
  }
  for await (const chunk of body) {
    if (chunksBefore-- > 0) {
      yield chunk;
      continue;
    }
    switch (kind) {
      case 'truncated':
        yield chunk.subarray(0, Math.floor(random.next() * chunk.length));
        throw new TransportError('The response broke off', {
          code: 'ConnectionLost',
          retry: 'backoff',
          effect: 'unknown',
        });
      case 'garbled':
        yield garble(chunk, random);
        chunksBefore = Number.POSITIVE_INFINITY;
        break;
      case 'silent':
        await aborted(signal);
        return;
      default:
        yield chunk;
    }
  }
}

function garble(chunk: Uint8Array, random: Random): Uint8Array {
  const copy = Uint8Array.from(chunk);
  const at = Math.floor(random.next() * copy.length);
  // A control character is invalid in JSON, and changes a length or a tag in protobuf.
  copy[at] = 0x01;
  return copy;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
