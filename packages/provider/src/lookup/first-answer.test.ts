import assert from 'node:assert/strict';
import { CcmError, createLogger, createMetrics } from '@tandem/runtime';
import { seededRandom, virtualClock, type VirtualClock } from '@tandem/runtime/testing';
import type { LookupAnswer, LookupAnswers, Provider } from '../plug/index.ts';
import { InstanceLookup } from './instance-lookup.ts';

const failed = 'First look-up in the cloud failed, trying again';
const answered = 'Cloud answered after earlier failures';

const denied = new CcmError('no such key', {
  code: 'AccessDenied',
  retry: 'backoff',
  effect: 'none',
});
const absent: LookupAnswer = { kind: 'absent', asOfMs: 0 };
const node = { name: 'node-1', uid: 'u', providerID: '', labels: {}, systemUUID: '' };

class TestedLookup {
  readonly clock: VirtualClock = virtualClock();
  readonly log: Record<string, unknown>[] = [];
  lookups = 0;
  readonly lookup: InstanceLookup;

  /** The provider gives the answers in order, and then repeats the last one. */
  constructor(...answers: (() => Promise<LookupAnswers>)[]) {
    const { clock } = this;
    const write = (line: string): void => void this.log.push(JSON.parse(line));
    const logger = createLogger({ clock, destination: { write } });
    const provider: Provider = {
      name: 'acme',
      limits: { deadlineMs: 2_000 },
      identify: (providerID) => providerID,
      lookup: () => (answers[this.lookups++] ?? answers.at(-1))!(),
    };
    const random = seededRandom('lookup');
    this.lookup = new InstanceLookup({
      provider,
      clock,
      random,
      metrics: createMetrics(),
      logger,
    });
  }

  async ask(): Promise<string> {
    const asked = this.lookup.ask(node, { maxAgeMs: 3_600_000 });
    await this.clock.advance(60_000);
    const answer = await asked;
    return answer.kind === 'unknown' ? answer.err.code : answer.kind;
  }

  get said(): string[] {
    return this.log.map(({ msg }) => String(msg));
  }
}

const all = (answer: unknown) => async (): Promise<LookupAnswers> =>
  new Map([['node-1', answer as LookupAnswer]]);
const works = all(absent);

describe('the first look-up in the cloud', () => {
  it('is not logged if it succeeds, and neither is a later failure', async () => {
    const scene = new TestedLookup(works, () => Promise.reject(denied));
    assert.equal(await scene.ask(), 'absent');
    assert.equal(await scene.ask(), 'AccessDenied');
    assert.deepEqual(scene.said, []);
  });

  it('is logged once with its code if it fails, and again when the cloud first answers', async () => {
    const fails = (): Promise<never> => Promise.reject(denied);
    const scene = new TestedLookup(fails, fails, works);
    await scene.ask();
    await scene.ask();
    assert.deepEqual(scene.said, [failed]);
    const [line] = scene.log;
    assert.equal(line?.['level'], 'warn');
    assert.equal(line['code'], 'AccessDenied');
    assert.equal(line['provider'], 'acme');
    assert.match(String(line['fix']), /credentials/);
    await scene.ask();
    await scene.ask();
    assert.deepEqual(scene.said, [failed, answered]);
  });

  const failures: { name: string; give: () => Promise<LookupAnswers>; code: string }[] = [
    {
      name: 'every answer is unknown',
      give: all({ kind: 'unknown', err: denied }),
      code: 'AccessDenied',
    },
    { name: 'there is no answer', give: async () => new Map(), code: 'CloudAnswerMissing' },
    {
      name: 'the answers are malformed',
      give: async () => 7 as unknown as LookupAnswers,
      code: 'CloudAnswerMalformed',
    },
    { name: 'one answer is malformed', give: all(null), code: 'CloudAnswerMalformed' },
    {
      name: 'the provider throws a foreign error with a code',
      give: () => Promise.reject(Object.assign(new Error('401'), { code: 'AcmeUnauthorized' })),
      code: 'AcmeUnauthorized',
    },
    {
      name: 'the provider throws a foreign error',
      give: () => Promise.reject(new Error('oops')),
      code: 'CloudCallFailed',
    },
    { name: 'the call never ends', give: () => new Promise(() => {}), code: 'CloudCallTimedOut' },
  ];
  for (const { name, give, code } of failures) {
    it(`counts as failed when ${name}`, async () => {
      const scene = new TestedLookup(give);
      await scene.ask();
      assert.deepEqual(
        scene.log.map((line) => line['code']),
        [code],
      );
    });
  }

  const fixes: { name: string; retry: CcmError['retry']; want: RegExp }[] = [
    {
      name: 'only waiting if the cloud asks for it',
      retry: { afterMs: 60_000 },
      want: /^None\./,
    },
    {
      name: 'a correction if the cloud refuses the call',
      retry: 'never',
      want: /^Correct what the message names/,
    },
    {
      name: 'a check of the connection otherwise',
      retry: 'backoff',
      want: /^Check the connection/,
    },
  ];
  for (const { name, retry, want } of fixes) {
    it(`is logged with fitting advice: ${name}`, async () => {
      const err = new CcmError('no', { code: 'Refused', retry, effect: 'none' });
      const scene = new TestedLookup(all({ kind: 'unknown', err }));
      await scene.ask();
      assert.match(String(scene.log[0]?.['fix']), want);
    });
  }

  it('counts as answered if one node of several has an answer', async () => {
    const scene = new TestedLookup(
      async () =>
        new Map<string, LookupAnswer>([
          ['other', { kind: 'unknown', err: denied }],
          ['node-1', absent],
        ]),
    );
    await scene.ask();
    assert.deepEqual(scene.said, []);
  });

  it('is not logged if the end of the program interrupts it', async () => {
    const scene = new TestedLookup(() => new Promise(() => {}));
    const asked = scene.lookup.ask(node, { maxAgeMs: 60_000 });
    await scene.clock.advance(1_000);
    scene.lookup.close();
    await asked;
    await scene.clock.advance(10_000);
    assert.deepEqual(scene.said, []);
  });
});
