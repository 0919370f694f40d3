import assert from 'node:assert/strict';
import { cidrOfAddress, parseAddress } from '@tandem/core/ip';
import * as fc from 'fast-check';
import { answerAnnotation, answerNodeIP } from './answer.ts';
import { readBatchLine } from './batch-line.ts';
import { printLine } from './print-line.ts';
import { toJson } from './to-json.ts';

const gates = { CloudNodeIPs: true };
const exclusions = [{ cidr: cidrOfAddress(parseAddress('10.0.0.9')!), reason: 'a "VIP" \u009b' }];

/** Asks and prints, and holds the line against the naive way to print it. */
function printedAsJson(line: string): { isPlain: boolean } {
  const read = readBatchLine(line);
  assert.ok(read.kind === 'question');
  const { name, cloud, asked, isPlain } = read.question;
  const question = { cloud, exclusions, gates };
  const answer =
    asked.kind === 'annotation'
      ? answerAnnotation(question, asked.value)
      : answerNodeIP(question, asked.value, 'kep');
  const want = toJson(name === undefined ? answer : { name, ...answer });
  assert.equal(printLine(answer, { name, isPlain }), `${want}\n`);
  return { isPlain };
}

describe('printLine', () => {
  it('prints what JSON.stringify would, whatever is asked', () => {
    const odd = fc.constantFrom('"', '\\', '\n', '\u007f', '\u009b', '\u202e', 'é', '😀', '\ud800');
    const text = fc.oneof(
      fc.constantFrom('10.0.0.1', '10.0.0.9', 'fd00::1', 'fe80::1', 'node-0', '', 'x'.repeat(600)),
      fc.constantFrom('IPv4', 'IPv6', 'IPv6,10.0.0.1', 'ipv4', 'a,b,c', '10.0.0.1,10.0.0.2'),
      fc.string({ unit: fc.oneof({ weight: 9, arbitrary: fc.constantFrom('a', '1') }, odd) }),
    );
    const type = fc.oneof(fc.constantFrom('InternalIP', 'ExternalIP', 'Hostname'), text);
    const asked = fc.oneof(
      fc.record({ annotation: fc.option(text) }),
      fc.record({ nodeIP: fc.option(text) }),
    );
    const question = fc.tuple(
      fc.record({ name: text }, { requiredKeys: [] }),
      fc.record({ cloud: fc.array(fc.record({ type, address: text }), { maxLength: 5 }) }),
      asked,
    );
    fc.assert(
      fc.property(question, (parts) => {
        printedAsJson(JSON.stringify(Object.assign({}, ...parts)));
      }),
      { numRuns: 1000 },
    );
  });

  it('takes escapes for what they stand for, and so for nothing plain', () => {
    const cases: { name: string; address: string; isPlain: boolean }[] = [
      { name: 'an escape sequence of terminals', address: '\\u001b[31m', isPlain: false },
      { name: 'an escaped quote', address: '\\"', isPlain: false },
      { name: 'DEL', address: '\u007f', isPlain: false },
      { name: 'a letter beyond ASCII', address: 'ü', isPlain: false },
      { name: 'brackets, slash and tilde', address: '[/~]', isPlain: true },
    ];
    for (const { name, address, isPlain } of cases) {
      const line = `{"name":"a","cloud":[{"type":"Hostname","address":"${address}"}],"annotation":"IPv4"}`;
      assert.equal(printedAsJson(line).isPlain, isPlain, name);
    }
  });
});
