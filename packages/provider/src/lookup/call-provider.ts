/**
 * One call to a provider, under its deadline. It always ends with one answer for every node that was
 * asked about, and it never throws: silence, nonsense and errors come out as `unknown` (P3). Answers
 * for nodes that nobody asked about are dropped and counted.
 */
import { quote } from '@tandem/core/node-address';
import { type CcmError, type Clock, withDeadline } from '@tandem/runtime';
import type { Freshness, NodeRef, Provider } from '../plug/index.ts';
import { type Answer, unknown } from './answer.ts';
import { LookupError, readFailure } from './failure.ts';
import { readAnswer } from './read-answer.ts';

export interface ProviderCall {
  readonly provider: Provider;
  readonly nodes: readonly NodeRef[];
  readonly freshness: Freshness;
  readonly clock: Clock;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

export interface CallResult {
  readonly outcome: CallOutcome;
  /** One for each node, in the order of the nodes. */
  readonly answers: readonly Answer[];
  /** Set when the call as a whole did not succeed. */
  readonly failure: CcmError | undefined;
  readonly notAsked: number;
  readonly malformed: number;
}

export type CallOutcome = 'answered' | 'failed' | 'throttled' | 'timed out' | 'malformed';

export async function callProvider(call: ProviderCall): Promise<CallResult> {
  const { provider, nodes, freshness, clock, deadlineMs, signal } = call;
  const askedAtMs = clock.monotonic();
  try {
    const answers: unknown = await withDeadline(
      { clock, limitMs: deadlineMs, signal },
      async (limited) => provider.lookup(nodes, { freshness, signal: limited }),
    );
    return readAnswers(call, answers, askedAtMs);
  } catch (err) {
    return nothing(call, readFailure(provider.name, err));
  }
}

function readAnswers(call: ProviderCall, answers: unknown, askedAtMs: number): CallResult {
  const { provider, nodes } = call;
  if (!(answers instanceof Map)) {
    const message = `${provider.name} answered with something that is not a Map`;
    return nothing(call, new LookupError('CloudAnswerMalformed', message));
  }
  const read = nodes.map((node) => answerFor(call, { node, answers, askedAtMs }));
  const asked = new Set<unknown>(nodes.map(({ name }) => name));
  const failure = commonFailure(read);
  return {
    outcome: failure === undefined ? 'answered' : outcomeOf(failure),
    answers: read,
    failure,
    notAsked: [...answers.keys()].filter((name) => !asked.has(name)).length,
    malformed: read.filter(isMalformed).length,
  };
}

function answerFor(
  { provider }: ProviderCall,
  asked: {
    readonly node: NodeRef;
    readonly answers: ReadonlyMap<unknown, unknown>;
    readonly askedAtMs: number;
  },
): Answer {
  const { node, answers, askedAtMs } = asked;
  const value = answers.get(node.name);
  if (value === undefined) {
    const message = `${provider.name} left node ${quote(node.name)} out of its answer`;
    return unknown(new LookupError('CloudAnswerMissing', message));
  }
  const read = readAnswer(value, (providerID) => provider.owns(providerID));
  switch (read.kind) {
    case 'found':
      return { kind: 'found', instance: read.instance, askedAtMs };
    case 'absent':
      return { kind: 'absent', askedAtMs };
    case 'unknown':
      return unknown(readFailure(provider.name, read.err, read.retryAfterMs));
    case 'malformed': {
      const message = `${provider.name} answered nonsense for node ${quote(node.name)}: ${read.problem}`;
      return unknown(new LookupError('CloudAnswerMalformed', message));
    }
  }
}

function nothing({ nodes }: ProviderCall, failure: CcmError): CallResult {
  return {
    outcome: outcomeOf(failure),
    answers: nodes.map(() => unknown(failure)),
    failure,
    notAsked: 0,
    malformed: 0,
  };
}

/**
 * The failure that stands for all of them, when the cloud asked for a wait about every node: then it
 * wants to be left alone. What is unknown, missing or nonsense about some nodes says nothing about
 * others, however few were asked about. The longest wait counts.
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
