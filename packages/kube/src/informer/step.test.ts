import assert from 'node:assert/strict';
import { type Ending, firstStep, nextStep, type Step } from './step.ts';

const stream = (atLeast?: string): Step => ({ kind: 'stream', atLeast });
const pages = (atLeast?: string): Step => ({ kind: 'pages', atLeast });
const resume = (from: string): Step => ({ kind: 'resume', from });

interface Case {
  readonly name: string;
  readonly step: Step;
  readonly ending: Ending;
  readonly want: Step;
}

/** The informer holds version 7 in all cases. */
const afterWholeList: readonly Case[] = [
  { name: 'closed', step: stream(), ending: 'closed', want: resume('7') },
  { name: 'closed again', step: resume('3'), ending: 'closed', want: resume('7') },
  { name: 'broken off', step: resume('3'), ending: 'broken', want: resume('7') },
  { name: 'throttled', step: resume('3'), ending: 'throttled', want: resume('7') },
  { name: 'listed in pages', step: pages(), ending: 'listed', want: resume('7') },
  { name: 'unreachable', step: resume('3'), ending: 'unreachable', want: stream('7') },
  { name: 'refused', step: resume('3'), ending: 'refused', want: stream('7') },
  { name: 'silent', step: resume('3'), ending: 'silent', want: stream('7') },
  { name: 'expired', step: resume('3'), ending: 'expired', want: stream('7') },
  { name: 'undecodable', step: stream('3'), ending: 'undecodable', want: stream('7') },
  { name: 'stale', step: stream('3'), ending: 'stale', want: stream('7') },
  { name: 'behind the cache', step: resume('3'), ending: 'ahead', want: stream() },
];

const duringList: readonly Case[] = [
  { name: 'not streamed', step: stream(), ending: 'not streamed', want: pages() },
  { name: 'not streamed again', step: stream('7'), ending: 'not streamed', want: pages('7') },
  { name: 'closed before its end', step: stream('7'), ending: 'closed', want: pages('7') },
  { name: 'broken off', step: stream('7'), ending: 'broken', want: stream('7') },
  { name: 'broken off in pages', step: pages('7'), ending: 'unreachable', want: stream('7') },
  { name: 'expired', step: stream('7'), ending: 'expired', want: stream() },
  { name: 'expired in pages', step: pages('7'), ending: 'expired', want: stream() },
  { name: 'behind the cache', step: stream('7'), ending: 'ahead', want: stream() },
  { name: 'behind the cache in pages', step: pages('7'), ending: 'ahead', want: stream() },
  { name: 'too old', step: pages('7'), ending: 'stale', want: stream() },
  { name: 'undecodable', step: stream('7'), ending: 'undecodable', want: stream('7') },
  { name: 'throttled', step: pages('7'), ending: 'throttled', want: stream('7') },
];

describe('the next step of an informer', () => {
  it('is first a streaming list without a version', () => {
    assert.deepEqual(firstStep, stream());
  });

  for (const { name, step, ending, want } of afterWholeList) {
    it(`is ${describeStep(want)} after a complete step at 7 that was ${name}`, () => {
      const taken = { step, ending, version: '7', isComplete: true, isSoon: true };
      assert.deepEqual(nextStep(taken), want);
    });
  }

  for (const { name, step, ending, want } of duringList) {
    it(`is ${describeStep(want)} after ${describeStep(step)} that was ${name}`, () => {
      const taken = { step, ending, version: '7', isComplete: false, isSoon: true };
      assert.deepEqual(nextStep(taken), want);
    });
  }

  it('is never to resume if the server was away for long', () => {
    for (const { step, ending } of afterWholeList) {
      const taken = { step, ending, version: '7', isComplete: true, isSoon: false };
      assert.equal(nextStep(taken).kind, 'stream');
    }
  });

  it('is never to resume before the first list', () => {
    for (const { step, ending } of [...afterWholeList, ...duringList]) {
      const taken = { step, ending, version: undefined, isComplete: false, isSoon: true };
      assert.notEqual(nextStep(taken).kind, 'resume');
    }
  });
});

function describeStep(step: Step): string {
  if (step.kind === 'resume') return `to resume from ${step.from}`;
  const how = step.kind === 'pages' ? 'a list in pages' : 'a streaming list';
  return step.atLeast === undefined ? how : `${how} from ${step.atLeast}`;
}
