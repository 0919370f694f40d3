/**
 * Makes one call to a provider, under its deadline. The call always ends with one answer for every node in the question
 * and never throws: a missing answer, an invalid one and an error all become `unknown` (P3). Answers for nodes that were
 * not in the question are dropped and counted.
 */
import { quote } from '@tandem/core/node-address';
import { type CcmError, type Clock, withDeadline } from '@tandem/runtime';
import type { NodeRef, Provider } from '../plug/index.ts';
import { type Answer, unknown } from './answer.ts';
import { LookupError, readFailure } from './failure.ts';
import { identify } from './identify.ts';
import { readAnswer } from './read-answer.ts';

export interface ProviderCall {
  readonly provider: Provider;
  readonly asked: readonly AskedNode[];
  readonly clock: Clock;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

export interface AskedNode {
  readonly node: NodeRef;
  /** The oldest acceptable data; `Infinity` to ask the source itself. */
  readonly needsSinceMs: number;
}

export interface CallResult {
  readonly outcome: CallOutcome;
  /** One for each node, in the order of the nodes. */
  readonly answers: readonly Answer[];
  /** Set if the call failed as a whole. */
  readonly failure: CcmError | undefined;
  readonly notAsked: number;
  readonly malformed: number;
  readonly tooOld: number;
  /** The accepted age of the data; 0 to ask the source itself. */
  readonly maxAgeMs: number;
}

export type CallOutcome = 'answered' | 'failed' | 'throttled' | 'timed out' | 'malformed';

export async function callProvider(call: ProviderCall): Promise<CallResult> {
  const { provider, asked, clock, deadlineMs, signal } = call;
  const begun = { atMs: clock.monotonic(), maxAgeMs: maxAgeOf(call) };
  const { maxAgeMs } = begun;
  const nodes = Object.freeze(asked.map(({ node }) => node));
  try {
    const answers: unknown = await withDeadline(
      { clock, limitMs: deadlineMs, signal },
      async (limited) => provider.lookup(nodes, { maxAgeMs, signal: limited }),
    );
    return readAnswers(call, begun, answers);
  } catch (err) {
    return nothing(call, begun, readFailure(provider.name, err));
  }
}

/** When a call began, and what it asked for. */
interface Begun {
  readonly atMs: number;
  readonly maxAgeMs: number;
}

/** A call accepts the smallest age of all its callers. */
function maxAgeOf({ asked, clock }: ProviderCall): number {
  const needsSinceMs = Math.max(...asked.map((one) => one.needsSinceMs));
  return Math.max(0, clock.monotonic() - needsSinceMs);
}

function readAnswers(call: ProviderCall, begun: Begun, answers: unknown): CallResult {
  const { provider, asked } = call;
  if (!(answers instanceof Map)) {
    const message = `${provider.name} returned an answer that is not a Map`;
    return nothing(call, begun, new LookupError('CloudAnswerMalformed', message));
  }
  const read = asked.map((one) =>
    answerFor(call, begun, { ...one, value: answers.get(one.node.name) }),
  );
  const names = new Set<unknown>(asked.map(({ node }) => node.name));
  const failure = commonFailure(read);
  return {
    outcome: failure === undefined ? 'answered' : outcomeOf(failure),
    answers: read,
    failure,
    notAsked: [...answers.keys()].filter((name) => !names.has(name)).length,
    malformed: read.filter(isMalformed).length,
    tooOld: read.filter(isTooOld).length,
    maxAgeMs: begun.maxAgeMs,
  };
}

function answerFor(
  { provider, clock }: ProviderCall,
  { atMs }: Begun,
  { node, needsSinceMs, value }: AskedNode & { readonly value: unknown },
): Answer {
  const { name } = provider;
  if (value === undefined) {
    const message = `${name} returned no answer for node ${quote(node.name)}`;
    return unknown(new LookupError('CloudAnswerMissing', message), atMs);
  }
  const read = readAnswer(value, {
    node,
    identify: (providerID) => identify(provider, providerID),
    nowMs: clock.monotonic(),
  });
  switch (read.kind) {
    case 'found':
    case 'absent': {
      const tooOldMs = Math.min(needsSinceMs, atMs) - read.asOfMs;
      if (tooOldMs <= 0) return read;
      const message = `${name} answered for node ${quote(node.name)} with data that is ${Math.ceil(tooOldMs)} ms too old`;
      return unknown(new LookupError('CloudAnswerTooOld', message), atMs);
    }
    case 'notOurs':
      return { kind: 'notOurs', asOfMs: atMs };
    case 'unknown':
      return unknown(readFailure(name, read.err, read.retryAfterMs), atMs);
    case 'malformed': {
      const message = `${name} returned an invalid answer for node ${quote(node.name)}: ${read.problem}`;
      return unknown(new LookupError('CloudAnswerMalformed', message), atMs);
    }
  }
}

function nothing({ asked }: ProviderCall, begun: Begun, failure: CcmError): CallResult {
  return {
    outcome: outcomeOf(failure),
    answers: asked.map(() => unknown(failure, begun.atMs)),
    failure,
    notAsked: 0,
    malformed: 0,
    tooOld: 0,
    maxAgeMs: begun.maxAgeMs,
  };
}

/**
 * Returns the failure that stands for the whole call, if the cloud asked for a wait about every node. Failures about some
 * nodes say nothing about other nodes, however few nodes the call had. The longest wait counts.
 */
function commonFailure(answers: readonly Answer[]): CcmError | undefined {
  let common: CcmError | undefined;
  for (const answer of answers) {
    if (answer.kind !== 'unknown' || waitOf(answer.err) === 0) return undefined;
    if (common === undefined || waitOf(answer.err) > waitOf(common)) common = answer.err;
  }
  return common;
}

function waitOf({ retry }: CcmError): number {
  return typeof retry === 'object' ? retry.afterMs : 0;
}

function outcomeOf(failure: CcmError): CallOutcome {
  if (waitOf(failure) > 0) return 'throttled';
  if (failure.code === 'CloudCallTimedOut') return 'timed out';
  return failure.code === 'CloudAnswerMalformed' ? 'malformed' : 'failed';
}

function isMalformed(answer: Answer): boolean {
  if (answer.kind !== 'unknown') return false;
  const { code } = answer.err;
  return code === 'CloudAnswerMalformed' || code === 'CloudAnswerMissing';
}

function isTooOld(answer: Answer): boolean {
  return answer.kind === 'unknown' && answer.err.code === 'CloudAnswerTooOld';
}
