import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  readKepRows,
  readRecordedRequests,
  readUpstreamCases,
} from '../../../../test/support/vectors.ts';
import { noPorts, type Ran, runInMemory } from '../run-in-memory.fixture.ts';
import { runProgram } from '../program.ts';
import { InputError } from '../streams.ts';
import { lineLengthMax } from './batch.ts';
import { readLines } from './read-lines.ts';

const batch = (lines: readonly unknown[], ...args: string[]): Promise<Ran> =>
  runInMemory(['explain', '--batch', ...args], {
    input: lines.map((line) => `${JSON.stringify(line)}\n`),
  });
const answersOf = ({ output }: Ran) =>
  output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const cloud = [{ type: 'InternalIP', address: '10.0.0.1' }];

describe('explain --batch', () => {
  it('answers the 24 rows of the KEP, by annotation and by --node-ip', async () => {
    const rows = readKepRows();
    const byAnnotation = await batch(
      rows.map((row, index) => ({
        name: `row ${index}`,
        cloud: row.cloud,
        annotation: row.annotation,
      })),
    );
    const byNodeIP = await batch(rows.map((row) => ({ cloud: row.cloud, nodeIP: row.nodeIP })));
    for (const ran of [byAnnotation, byNodeIP]) {
      assert.deepEqual([ran.exitCode, ran.errors], [0, '']);
      for (const [index, answer] of answersOf(ran).entries()) {
        const { addresses, stack, error } = rows[index]!;
        assert.deepEqual(
          answer.addresses?.map((entry: { address: string }) => entry.address) ?? null,
          addresses,
        );
        assert.deepEqual([answer.stack, answer.error !== null], [stack, error !== null]);
      }
    }
    assert.deepEqual(
      answersOf(byAnnotation).map(({ name }) => name),
      rows.map((_, index) => `row ${index}`),
    );
    assert.deepEqual(
      answersOf(byNodeIP).map(({ kubelet }) => kubelet.annotation),
      rows.map(({ annotation }) => annotation),
    );
  });

  it("gives upstream's recorded answer to thousands of literal requests", async () => {
    const rows = [...readUpstreamCases(), ...readRecordedRequests()];
    const answers = answersOf(
      await batch(
        rows.map(({ name, cloud: list, annotation }) => ({ name, cloud: list, annotation })),
      ),
    );
    assert.equal(answers.length, rows.length);
    for (const [index, { name, addresses, error }] of answers.entries()) {
      assert.equal(name, rows[index]!.name);
      assert.deepEqual(addresses, rows[index]!.addresses, `${name}: ${rows[index]!.annotation}`);
      assert.equal(error === null, addresses !== null);
    }
  });

  it('applies the options of the command line to every line', async () => {
    const lines = [
      { cloud, annotation: 'IPv4' },
      { cloud, nodeIP: 'IPv4' },
    ];
    const gated = answersOf(
      await batch(lines, '--feature-gates=CloudNodeIPs=false', '--kubelet=released'),
    );
    assert.deepEqual(
      gated.map(({ error }) => error?.code ?? null),
      ['FeatureDisabled', null],
    );
    const excluded = answersOf(await batch(lines, '--exclude=10.0.0.0/8'));
    assert.deepEqual(
      excluded.map(({ error }) => error?.code),
      ['NoAddressOfFamily', 'NoAddressOfFamily'],
    );
  });

  it('answers a kubelet that does not start with no addresses and its reason', async () => {
    const [answer] = answersOf(await batch([{ name: 'a', cloud, nodeIP: '10.0.0.1,10.0.0.2' }]));
    assert.deepEqual(
      [answer.name, answer.request, answer.addresses, answer.error],
      ['a', null, null, null],
    );
    assert.match(answer.kubelet.refused, /dual-stack pair/);
  });

  const malformed: { name: string; line: string; want: RegExp }[] = [
    {
      name: 'text that is not JSON',
      line: '{"cloud": [}',
      want: /not JSON: expected \{"name"\?/,
    },
    { name: 'a value that is not an object', line: '[1]', want: /: not a JSON object/ },
    { name: 'a missing cloud', line: '{"annotation": null}', want: /"cloud" must be a list/ },
    {
      name: 'a faulty cloud entry',
      line: '{"cloud": [{"type": "InternalIP", "address": "a"}, {"type": 1}], "annotation": null}',
      want: /"cloud"\[1\] must be/,
    },
    {
      name: 'a line without a request',
      line: '{"cloud": []}',
      want: /neither "annotation" nor "nodeIP"/,
    },
    {
      name: 'a line with two requests',
      line: '{"cloud": [], "annotation": null, "nodeIP": null}',
      want: /both "annotation" and "nodeIP"/,
    },
    {
      name: 'an annotation of another type',
      line: '{"cloud": [], "annotation": 5}',
      want: /"annotation" must be a string or null/,
    },
    {
      name: 'a name of another type',
      line: '{"name": 5, "cloud": [], "annotation": null}',
      want: /"name" must be a string/,
    },
    {
      name: 'a line that is too long',
      line: `"${'x'.repeat(lineLengthMax)}"`,
      want: /: longer than 1048576 characters/,
    },
  ];
  for (const { name, line, want } of malformed) {
    it(`names the line number of ${name} and answers the others`, async () => {
      const good = JSON.stringify({ cloud, annotation: 'IPv4' });
      const ran = await runInMemory(['explain', '--batch'], {
        input: [`${good}\n\n${line}\n${good}`],
      });
      assert.equal(ran.exitCode, 2);
      assert.match(ran.errors, /^error: line 3: /);
      assert.match(ran.errors, want);
      assert.equal(answersOf(ran).length, 2);
    });
  }

  const questions = Array.from({ length: 40 }, (_, index) => ({
    name: `node-${index}`,
    cloud,
    annotation: null,
  }));
  const tooLong = Array.from({ length: 20_000 }, () => questions[0]);
  const [question] = questions;
  const shapes: { name: string; input: string; remedy: string }[] = [
    { name: 'a list', input: JSON.stringify(questions), remedy: "jq -c '.[]'" },
    {
      name: 'a list on a line that is too long',
      input: JSON.stringify(tooLong),
      remedy: "jq -c '.[]'",
    },
    {
      name: 'a list over several lines',
      input: JSON.stringify(questions, null, 2),
      remedy: "jq -c '.[]'",
    },
    {
      name: 'a list with one object a line',
      input: `\n[\n${questions.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`,
      remedy: "jq -c '.[]'",
    },
    { name: 'a list of one', input: `[\n${JSON.stringify(question)}\n]\n`, remedy: "jq -c '.[]'" },
    {
      name: 'an object over several lines',
      input: JSON.stringify(question, null, 2),
      remedy: 'jq -c .',
    },
    {
      name: 'an object that is broken after its name',
      input: '{"name": "a",\n\n  "cloud": [], "annotation": null }\n',
      remedy: 'jq -c .',
    },
    {
      name: 'objects over several lines, one after the other',
      input: questions.map((one) => JSON.stringify(one, null, '\t')).join('\n'),
      remedy: 'jq -c .',
    },
  ];
  for (const { name, input, remedy } of shapes) {
    for (const size of [1_000, 1_000_000]) {
      it(`says once how to convert ${name}, read in chunks of ${size} characters`, async () => {
        const chunks = input.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
        const ran = await runInMemory(['explain', '--batch'], { input: chunks });
        assert.deepEqual([ran.exitCode, ran.output], [2, '']);
        assert.match(ran.errors, /^error: standard input .* one JSON object per line: .*\n$/);
        assert.ok(ran.errors.includes(` ${remedy}\n`), ran.errors);
      });
    }
  }

  it('reports a truncated first line as one mistake when the next line is valid', async () => {
    const good = JSON.stringify({ cloud, annotation: 'IPv4' });
    const ran = await runInMemory(['explain', '--batch'], {
      input: [`\n${good.slice(0, 20)}\n\n${good}\n${good}\n`],
    });
    assert.match(ran.errors, /^error: line 2: not JSON: .*\n$/);
    assert.deepEqual([ran.exitCode, answersOf(ran).length], [2, 2]);
  });

  it('reports a single truncated line as a mistake', async () => {
    const ran = await runInMemory(['explain', '--batch'], { input: ['{"cloud": [\n'] });
    assert.match(ran.errors, /^error: line 1: not JSON: .*\n$/);
    assert.deepEqual([ran.exitCode, ran.output], [2, '']);
  });

  it('answers the lines that it read before the input failed, and reports the failure', async () => {
    const output: string[] = [];
    const errors: string[] = [];
    const sink = (texts: string[]) => ({
      write: (chunk: string | Uint8Array) => texts.push(Buffer.from(chunk).toString()) > 0,
      once: () => undefined,
    });
    async function* input(): AsyncGenerator<string> {
      yield `${JSON.stringify({ cloud, annotation: null })}\n`;
      throw new InputError('cannot read standard input: it is gone');
    }
    const exitCode = await runProgram(
      ['explain', '--batch'],
      {
        input: input(),
        output: sink(output),
        errors: sink(errors),
        hasColour: false,
      },
      noPorts,
    );
    assert.equal(exitCode, 2);
    assert.equal(errors.join(''), 'error: cannot read standard input: it is gone\n');
    assert.equal(output.join('').split('\n').length, 2);
  });

  it('waits while the reader of its errors is slow', async () => {
    const waited: string[] = [];
    const errors = {
      write: (): boolean => false,
      once: (_: 'drain', listener: () => void): void => {
        waited.push('errors');
        queueMicrotask(listener);
      },
    };
    async function* input(): AsyncGenerator<string> {
      for (let count = 0; count < 3; count++) yield 'nonsense\nnonsense\n';
    }
    const output = { write: () => true, once: () => undefined };
    await runProgram(
      ['explain', '--batch'],
      { input: input(), output, errors, hasColour: false },
      noPorts,
    );
    assert.equal(waited.length, 3);
  });

  it('waits while the reader of its answers is slow', async () => {
    let isFull = false;
    let waits = 0;
    async function* input(): AsyncGenerator<string> {
      for (let count = 0; count < 5; count++)
        yield `${JSON.stringify({ cloud, annotation: null })}\n`;
    }
    const output = {
      write: (): boolean => {
        assert.equal(isFull, false, 'wrote to a full sink');
        isFull = true;
        return false;
      },
      once: (_: 'drain', listener: () => void): void => {
        waits++;
        queueMicrotask(() => {
          isFull = false;
          listener();
        });
      },
    };
    await runProgram(
      ['explain', '--batch'],
      {
        input: input(),
        output,
        errors: output,
        hasColour: false,
      },
      noPorts,
    );
    assert.equal(waits, 5);
  });
});

describe('readLines', () => {
  it('returns the same lines however the input is split into chunks', async () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\n', '\n') }), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 7 }), async (parts, size) => {
        const bytes = new TextEncoder().encode(parts.join(''));
        async function* chunks(): AsyncGenerator<Uint8Array> {
          for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
        }
        const lines: string[] = [];
        for await (const some of readLines(chunks(), { lengthMax: 1000 })) {
          for (const line of some) lines.push(line.kind === 'line' ? line.text : assert.fail());
        }
        const want = parts.join('').split('\n');
        if (want.at(-1) === '') want.pop();
        assert.deepEqual(lines, want);
      }),
    );
  });

  it('skips a line that is too long', async () => {
    async function* chunks(): AsyncGenerator<string> {
      yield 'ok\n';
      for (let count = 0; count < 5; count++) yield 'xxxx';
      yield 'x\nok\nyyyyyyyyyyyy';
    }
    const kinds: string[] = [];
    for await (const some of readLines(chunks(), { lengthMax: 10 }))
      kinds.push(...some.map(({ kind }) => kind));
    assert.deepEqual(kinds, ['line', 'too-long', 'line', 'too-long']);
  });
});
