/**
 * Asks the cloud about many nodes at once: all questions are asked before the first answer is awaited, so
 * that they share calls. An `authoritative` question goes to the source itself; otherwise an answer that
 * another controller got within the last pass suffices.
 */
import type { LifecycleAnswer } from '@tandem/core/lifecycle';
import type { Answer, InstanceLookup } from '@tandem/provider/lookup';
import type { NodeRef } from '@tandem/provider/plug';
import { untilAborted } from '@tandem/runtime';
import type { LookupResult } from './metrics.ts';

export interface Asking {
  readonly node: NodeRef;
  readonly freshness: 'cached' | 'authoritative';
}

export interface CloudReading {
  readonly answer: LifecycleAnswer;
  readonly result: LookupResult;
  /** The delay that the cloud asked for. */
  readonly retryAfterMs: number;
}

/** One reading per question, in order. Rejects only with the signal's reason. */
export function askCloud(
  lookup: Pick<InstanceLookup, 'ask'>,
  asking: readonly Asking[],
  { cachedMsMax, signal }: { readonly cachedMsMax: number; readonly signal: AbortSignal },
): Promise<CloudReading[]> {
  const answers = asking.map(async ({ node, freshness }) => {
    const maxAgeMs = freshness === 'cached' ? cachedMsMax : 0;
    return read(await lookup.ask(node, { maxAgeMs }), freshness);
  });
  // One listener for all answers: adding and removing a thousand listeners would be slow.
  return untilAborted(signal, Promise.all(answers));
}

function read(answer: Answer, freshness: Asking['freshness']): CloudReading {
  switch (answer.kind) {
    case 'found': {
      const { state } = answer.instance;
      return { answer: { kind: 'found', state }, result: 'success', retryAfterMs: 0 };
    }
    case 'absent': {
      const { asOfMs } = answer;
      const absent = { kind: 'absent', freshness, asOfMs } as const;
      return { answer: absent, result: 'instance_not_found', retryAfterMs: 0 };
    }
    case 'notOurs':
      return { answer: { kind: 'notOurs' }, result: 'not_ours', retryAfterMs: 0 };
    case 'unknown': {
      const { message, retry } = answer.err;
      const retryAfterMs = typeof retry === 'object' ? retry.afterMs : 0;
      return { answer: { kind: 'unknown', reason: message }, result: 'error', retryAfterMs };
    }
  }
}
