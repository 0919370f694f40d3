import assert from 'node:assert/strict';
import { InstanceLookup } from '@tandem/provider/lookup';
import type { LookupAnswer, LookupAnswers, Provider } from '@tandem/provider/plug';
import {
  CcmError,
  createLogger,
  createMetrics,
  seededRandom,
  virtualClock,
  type VirtualClock,
} from '@tandem/runtime';
import { tellFirstLookup } from './first-lookup.ts';
import type { LogLine } from './self-check.fixture.ts';

const failed = 'The first look-up in the cloud failed, it is tried again';
const answered = 'The cloud answered, after it had failed';

const denied = new CcmError('no such key', {
  code: 'AccessDenied',
  retry: 'backoff',
  effect: 'none',
});
const absent: LookupAnswer = { kind: 'absent' };
const node = { name: 'node-1', uid: 'u', providerID: '' };

class Scene {
  readonly clock: VirtualClock = virtualClock();
  readonly log: LogLine[] = [];
  lookups = 0;
  readonly lookup: InstanceLookup;

  /** The provider gives one answer after the other, and the last one for ever. */
  constructor(...answers: (() => Promise<LookupAnswers>)[]) {
    const { clock } = this;
    const write = (line: string): void => void this.log.push(JSON.parse(line));
    const logger = createLogger({ clock, destination: { write } });
    const inner: Provider = {
      name: 'acme',
      limits: { deadlineMs: 2_000 },
      owns: () => true,
      lookup: () => (answers[this.lookups++] ?? answers.at(-1))!(),
    };
    const provider = tellFirstLookup(inner, logger);
    const random = seededRandom('lookup');
    this.lookup = new InstanceLookup({ provider, clock, random, metrics: createMetrics() });
  }

  async ask(): Promise<string> {
    const asked = this.lookup.ask(node, { freshness: 'authoritative' });
    await this.clock.advance(60_000);
    const answer = await asked;
    return answer.kind === 'unknown' ? answer.err.code : answer.kind;
  }

  get said(): string[] {
    return this.log.map(({ msg }) => msg);
  }
}

const all = (answer: unknown) => async (): Promise<LookupAnswers> =>
  new Map([['node-1', answer as LookupAnswer]]);
const works = all(absent);

describe('the first look-up in the cloud', () => {
  it('is not spoken of when it works, nor is a later failure', async () => {
    const scene = new Scene(works, () => Promise.reject(denied));
    assert.equal(await scene.ask(), 'absent');
    assert.equal(await scene.ask(), 'AccessDenied');
    assert.deepEqual(scene.said, []);
  });

  it('is told once with its code when it fails, and again when the cloud first answers', async () => {
    const fails = (): Promise<never> => Promise.reject(denied);
    const scene = new Scene(fails, fails, works);
    await scene.ask();
    await scene.ask();
    assert.deepEqual(scene.said, [failed]);
    const [line] = scene.log;
    assert.equal(line?.level, 'warn');
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
    { name: 'there is none', give: async () => new Map(), code: 'CloudAnswerMalformed' },
    {
      name: 'it is nonsense',
      give: async () => 7 as unknown as LookupAnswers,
      code: 'CloudAnswerMalformed',
    },
    { name: 'an answer is nonsense', give: all(null), code: 'CloudAnswerMalformed' },
    {
      name: 'somebody else’s error is thrown',
      give: () => Promise.reject(new Error('oops')),
      code: 'CloudCallFailed',
    },
    { name: 'it never ends', give: () => new Promise(() => {}), code: 'CloudCallTimedOut' },
  ];
  for (const { name, give, code } of failures) {
    it(`counts as failed when ${name}, and reads the same to everybody else`, async () => {
      const scene = new Scene(give);
      const seen = await scene.ask();
      assert.deepEqual(
        scene.log.map((line) => line['code']),
        [code],
      );
      assert.ok([code, 'CloudAnswerMissing'].includes(seen), seen);
    });
  }

  it('counts as answered when one node of many was', async () => {
    const scene = new Scene(
      async () =>
        new Map<string, LookupAnswer>([
          ['other', { kind: 'unknown', err: denied }],
          ['node-1', absent],
        ]),
    );
    await scene.ask();
    assert.deepEqual(scene.said, []);
  });

  it('says nothing of a look-up that the end of the program broke off', async () => {
    const scene = new Scene(() => new Promise(() => {}));
    const asked = scene.lookup.ask(node, { freshness: 'authoritative' });
    await scene.clock.advance(1_000);
    scene.lookup.close();
    await asked;
    await scene.clock.advance(10_000);
    assert.deepEqual(scene.said, []);
  });

  it('leaves the provider as it is: its limits, its ownership and its end', async () => {
    let closed = 0;
    const inner: Provider = {
      name: 'acme',
      limits: { batchSize: 7 },
      owns: (providerID) => providerID.startsWith('acme://'),
      lookup: works,
      close: async () => void closed++,
    };
    const clock = virtualClock();
    const provider = tellFirstLookup(inner, createLogger({ clock, destination: { write() {} } }));
    assert.equal(provider.limits, inner.limits);
    assert.ok(provider.owns('acme://1') && !provider.owns('other://1'));
    await provider.close?.();
    assert.equal(closed, 1);
  });
});
