/** `--once` as a whole, in virtual time and without sockets. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { virtualClock } from '@tandem/runtime/testing';
import type { Row } from './board/index.ts';
import { kepMachines, type Machine } from './machines/index.ts';
import { readOptions } from './options/index.ts';
import { runOnce } from './run-once.ts';
import { observeDemo } from './observed-demo.ts';
import { pictureOf } from './view/index.ts';
import { type RunResult, runVirtually } from './virtual-run.fixture.ts';
import type { Pool, RouteCount } from './demo/index.ts';

const root = join(import.meta.dirname, '../../../..');

interface Printed {
  readonly converged: boolean;
  readonly tookMs: number;
  readonly differences: readonly unknown[];
  readonly nodes: readonly (Row & { group: string; isAsExpected: boolean })[];
  readonly pools: readonly Pool[];
  readonly routes: readonly RouteCount[];
}

describe('npm start -- --once', () => {
  let json: RunResult;
  let printed: Printed;
  before(async () => {
    json = await runVirtually(['--once', '-o', 'json']);
    printed = JSON.parse(json.output);
  });

  it('exits 0 once all nodes are as the KEP and the other expectations specify', () => {
    assert.deepEqual([json.exitCode, json.errors, json.pending], [0, '', 0]);
    assert.deepEqual([printed.converged, printed.differences], [true, []]);
    assert.equal(printed.nodes.filter(({ group }) => group === 'KEP-3705').length, 24);
    assert.ok(printed.nodes.every(({ isAsExpected }) => isAsExpected));
    assert.ok(printed.tookMs < 8_000);
  });

  it('shows nodes that fail in ways that the KEP has no row for', () => {
    const odd = printed.nodes.filter(({ group }) => group === 'odd');
    assert.deepEqual(
      odd.map(({ node, state, code }) => [node, state, code]),
      [
        ['foreign', 'refused', 'ForeignProviderID'],
        ['lost', 'refused', 'InstanceNotFound'],
        ['override', 'ready', 'NodeIPRequestsDiffer'],
        ['paused', 'paused', null],
        ['twin-a', 'ready', null],
        ['twin-b', 'refused', 'ProviderIDConflict'],
      ],
    );
  });

  it('shows a pod CIDR of each family for every node, and nodes with each common problem', () => {
    const withProblem = printed.nodes.filter(({ podCIDRProblem }) => podCIDRProblem !== null);
    assert.deepEqual(
      withProblem.map(({ node, podCIDRs, podCIDRProblem }) => [
        node,
        podCIDRs.join(),
        podCIDRProblem?.code,
      ]),
      [
        ['foreign', '192.168.7.0/24,fd07::/64', 'PodCIDROutsidePools'],
        ['lost', '10.64.200.0/24', 'PodCIDRFamilyMissing'],
        ['twin-b', '', 'CIDRNotAvailable'],
      ],
    );
    const allocated = printed.nodes.filter(
      (row) => row.state !== 'paused' && row.podCIDRProblem === null,
    );
    const families = allocated.map(({ podCIDRs }) =>
      podCIDRs.map((podCIDR) => (podCIDR.includes(':') ? 'IPv6' : 'IPv4')).join(),
    );
    assert.deepEqual(new Set(families), new Set(['IPv4,IPv6']));
    const all = printed.nodes.flatMap(({ podCIDRs }) => podCIDRs);
    assert.equal(new Set(all).size, all.length, 'no two nodes share a pod CIDR');
  });

  it('shows the pools with their counts, as JSON and below the table', async () => {
    const counts = printed.pools.map(({ name, waiting, ranges }) => [
      name,
      waiting,
      ...ranges.map(({ capacity, bound }) => `${bound}/${capacity}`),
    ]);
    assert.deepEqual(counts, [
      ['small', 1, '1/1', '1/1'],
      ['cluster-cidr', 0, '26/8192', '25/65536'],
    ]);
    const { output } = await runVirtually(['--once']);
    assert.match(output, /^Pool small: 1 of 1 bound in 10\.60\.0\.0\/24, .*, 1 node waits$/m);
    assert.match(output, /^Pool cluster-cidr: 26 of 8192 bound in 10\.64\.0\.0\/11, /m);
  });

  it('shows the routes of all dual-stack nodes, as JSON and below the table', async () => {
    const dualStack = printed.nodes.filter(({ stack }) => stack?.startsWith('DS ')).length;
    assert.ok(dualStack > 5);
    assert.deepEqual(printed.routes, [{ table: 'main', IPv4: dualStack, IPv6: dualStack }]);
    const { output } = await runVirtually(['--once']);
    assert.match(
      output,
      new RegExp(`^Routes in table main: ${dualStack} IPv4, ${dualStack} IPv6$`, 'm'),
    );
  });

  it('matches the picture in the README (npx node tools/picture/main.ts draws it)', () => {
    const picture = readFileSync(join(root, 'docs/images/start.svg'), 'utf8');
    assert.equal(pictureOf(printed), picture);
  });

  it('prints the table, whole on a pipe and cut to the width of a terminal', async () => {
    const [pipe, terminal] = [
      await runVirtually(['--once', '--nodes', '3']),
      await runVirtually(['--once'], { isTerminal: true }),
    ];
    assert.match(
      pipe.output,
      /^ipv4-09 +IPv6 +10\.64\.20\.0\/24 \S+ +refused +NoAddressOfFamily: .*Add IPv6 to the instance/m,
    );
    assert.match(pipe.output, /^node-0003 /m);
    assert.equal(stripVTControlCharacters(pipe.output), pipe.output);
    assert.equal(pipe.errors, '');
    const plain = stripVTControlCharacters(terminal.output);
    assert.notEqual(plain, terminal.output);
    for (const line of plain.split('\n')) assert.ok(line.length <= 80, line);
    // The progress line is overwritten and then removed.
    assert.match(terminal.errors, /\r\d+ of 30 nodes as expected/);
    assert.ok(terminal.errors.endsWith('\r\u001b[K'));
  });

  it('exits 1 and names the difference when a row is not as the KEP specifies', async () => {
    const wrong: Machine = {
      ...kepMachines[0]!,
      expected: { state: 'ready', addresses: ['1.2.3.4'], stack: 'SS IPv4' },
    };
    const lacking: Machine = {
      ...kepMachines[1]!,
      expectedPodCIDRs: { families: ['IPv6'], code: null },
    };
    const { exitCode, output } = await runMachines([wrong, lacking]);
    assert.equal(exitCode, 1);
    assert.match(output, /^Not converged: 2 nodes are not as expected$/m);
    assert.match(
      output,
      /^ {2}dual-02: expected pod CIDRs IPv6, but the node has pod CIDRs 10\.64\.1\.0\/24 and fd64:0:0:1::\/64$/m,
    );
    assert.match(
      output,
      /^ {2}dual-01: KEP-3705 specifies 1\.2\.3\.4 \(SS IPv4\), but the node is ready with .*abcd::5678 \(DS IPv4-primary\)$/m,
    );
  });

  it('exits 1 and names what is missing when it is interrupted', async () => {
    const { exitCode, output, pending, tookMs } = await runVirtually(['--once'], {
      stopAfterMs: 2_000,
    });
    assert.deepEqual([exitCode, pending], [1, 0]);
    assert.match(
      output,
      /^ {2}lost: expected a refusal with InstanceNotFound, but the node is waiting$/m,
    );
    assert.ok(tookMs < 4_000);
  });

  it('exits 2 on invalid options, and names all of them at once', async () => {
    const { exitCode, output, errors } = await runVirtually(['--once', '--nope', '--nodes=many']);
    assert.deepEqual([exitCode, output], [2, '']);
    assert.equal(errors.match(/^error: /gm)?.length, 2);
  });

  it('names a log that cannot be written', async () => {
    const { exitCode, errors } = await runVirtually(['--once', '--log', '/nowhere/at/all.log']);
    assert.equal(exitCode, 2);
    assert.match(errors, /^error: cannot open the --log file \(ENOENT/);
  });
});

/** Runs the demo with only these machines. */
async function runMachines(machines: readonly Machine[]) {
  const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
  const command = readOptions(['--once']);
  assert.ok(command.kind === 'once');
  const observed = observeDemo(
    command.settings,
    { clock, userEdits: 'impossible', log: undefined },
    machines,
  );
  const output: string[] = [];
  const ended: { exitCode?: number } = {};
  void runOnce(command, observed, {
    clock,
    output: { write: (text) => output.push(text), terminal: undefined, colours: 'none' },
    errors: { write: () => undefined, isTerminal: false },
    stop: new AbortController().signal,
    temporaryDirectory: '/nowhere',
    atExit: () => () => undefined,
  }).then((exitCode) => (ended.exitCode = exitCode));
  while (ended.exitCode === undefined) await clock.advance(1_000);
  return { exitCode: ended.exitCode, output: output.join('') };
}
