import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { jsonTextWithout } from './json-cut.ts';
import { pastJsonList, scanOf } from './json-skip.ts';

const names = ['images', 'managedFields'];

/** Values in which the names stand as names, as texts and within texts. */
const valuesOf = (...leaves: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(...leaves),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom('a', 'images', 'managedFields', '","images":['), tie('value')),
    ),
  })).value;

const usualLeaves = ['images', ',"images":[1]', '\\",\\"images\\":[', 'é\n', -7, 0, true, null];
const values = valuesOf(...usualLeaves);

/** With what makes a list stay: fractions, and characters that are written in figures. */
const unusualValues = valuesOf(...usualLeaves, 1.5, '\u0001', '"]');

/** Without the lists of these names, as plainly as it can be said; the first member always stays. */
function naively(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(naively);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(
    ([name, member], index) => index === 0 || !names.includes(name) || !Array.isArray(member),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, naively(member)]));
}

function cut(text: string): string {
  return jsonTextWithout(names, text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('a JSON text without what nobody reads', () => {
  it('has everything but the lists of those names', () => {
    fc.assert(
      fc.property(values, (value) => {
        const all: unknown = JSON.parse(JSON.stringify(value));
        assert.deepEqual(JSON.parse(cut(JSON.stringify(value))), naively(all));
      }),
    );
  });

  it('has everything else also where such lists stand within one that is unusual', () => {
    const escaped = 'a"],\\';
    const texts = [
      // The outer list is given up at its end, beyond the backslashes of the inner one.
      `{"a":1,"images":[{"b":1,"images":[${JSON.stringify(escaped)}]},"\\n",1.5],"c":2}`,
      `{"a":1,"images":[{"b":1,"managedFields":[${JSON.stringify(escaped)}],"d":3},1.5]}`,
    ];
    for (const text of texts) {
      assert.deepEqual(naively(JSON.parse(cut(text))), naively(JSON.parse(text)));
    }
    fc.assert(
      fc.property(unusualValues, (value) => {
        const all: unknown = JSON.parse(JSON.stringify(value));
        assert.deepEqual(naively(JSON.parse(cut(JSON.stringify(value)))), naively(all));
      }),
      { numRuns: 300 },
    );
  });

  it('is as it was where a list is unusual, so that a parser sees it', () => {
    const texts = [
      '[ 1]',
      '[1.5]',
      '["\\u0041"]',
      '[01]',
      '[1',
      '[1,]',
      '[{"a"1}]',
      '["\n"]',
      '[tru]',
    ];
    for (const list of texts) {
      const text = `{"a":1,"images":${list}}`;
      assert.equal(cut(text), text);
    }
  });
});

describe('the end of a list in JSON', () => {
  it('is found in what JSON.stringify writes, save for fractions and figures', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify([value]);
        const isUnusual = /[.]|\de|\\u/.test(text);
        const end = pastJsonList(scanOf(`${text}]`), 0);
        assert.ok(end === text.length || (end === undefined && isUnusual));
      }),
    );
  });

  it('is never found in what is no JSON', () => {
    const garbled = fc.tuple(fc.jsonValue(), fc.nat(), fc.integer({ min: 0, max: 127 }));
    fc.assert(
      fc.property(garbled, ([value, at, byte]) => {
        const bytes = Buffer.from(`[${JSON.stringify(value)},"a\\n\\"b",{"c":[-1,true,null]}]`);
        bytes[1 + (at % (bytes.length - 1))] = byte;
        const json = bytes.toString();
        const end = pastJsonList(scanOf(json), 0);
        assert.ok(end === undefined || isJson(json.slice(0, end)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is not looked for at any depth', () => {
    assert.equal(pastJsonList(scanOf('['.repeat(100_000)), 0), undefined);
  });
});
