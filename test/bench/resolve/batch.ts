/**
 * `explain --batch` as it ships, start line included, on a file of questions: lines per second into
 * whatever people send the answers to, and peak memory.
 */
import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Clock, systemEnvironment } from '@tandem/runtime';

const program = join(import.meta.dirname, '..', '..', '..', 'dist', 'kubectl-nodeip.js');
const peakReporter = join(import.meta.dirname, 'peak-reporter.mjs');

/** Where the answers go: nowhere, into a new file, or through a pipe that another program reads. */
export const batchSinks = ['null', 'file', 'pipe'] as const;
export type BatchSink = (typeof batchSinks)[number];

/** Lines per second from start to end of the process, which is what a person waits for. */
export async function batchLinesPerSecond(
  clock: Clock,
  { lines, sink }: { readonly lines: number; readonly sink: BatchSink },
): Promise<number> {
  return withQuestions(lines, async ({ input, folder }) => {
    const startMs = clock.monotonic();
    if (sink === 'pipe') await runIntoPipe(input);
    else await runIntoFile(input, sink === 'null' ? devNull : join(folder, 'answers.jsonl'));
    return Math.round(lines / ((clock.monotonic() - startMs) / 1000));
  });
}

/** The most memory that the process ever held. Measured in a run of its own, which it slows down. */
export async function batchPeakMiB(lines: number): Promise<number> {
  return withQuestions(lines, async ({ input }) => {
    await using output = await open(devNull, 'w');
    const child = spawn(program, batch, {
      stdio: [input, output.fd, 'inherit', 'pipe'],
      env: { ...systemEnvironment(), NODE_OPTIONS: `--import=${peakReporter}` },
    });
    const [peakKiB] = await Promise.all([reportOf(child), finished(child)]);
    return Number(peakKiB) / 1024;
  });
}

const batch = ['explain', '--batch'];

async function runIntoFile(input: number, path: string): Promise<void> {
  await using output = await open(path, 'w');
  await finished(spawn(program, batch, { stdio: [input, output.fd, 'inherit'] }));
}

/** A shell makes a true pipe, as people do; from Node it would be a socket. */
async function runIntoPipe(input: number): Promise<void> {
  const stdio: StdioOptions = [input, 'ignore', 'inherit', 'pipe'];
  const script = `{ "$0" ${batch.join(' ')}; echo $? >&3; } | cat`;
  const child = spawn('sh', ['-c', script, program], { stdio });
  const [exitCode] = await Promise.all([reportOf(child), finished(child)]);
  if (exitCode.trim() !== '0') throw new Error(`${program} ended with ${exitCode}`);
}

/** Opens a new file with so many questions, in a folder that goes away afterwards. */
async function withQuestions(
  lines: number,
  measure: (given: { readonly input: number; readonly folder: string }) => Promise<number>,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'tandem-bench-'));
  try {
    const questions = join(folder, 'questions.jsonl');
    await writeFile(
      questions,
      Array.from({ length: lines }, (_, index) => question(index)),
    );
    await using input = await open(questions, 'r');
    return await measure({ input: input.fd, folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the child writes to its file descriptor 3. */
async function reportOf(child: ChildProcess): Promise<string> {
  const report = child.stdio[3];
  if (!(report instanceof Readable)) throw new Error('there is no pipe for the report');
  return text(report);
}

async function finished(child: ChildProcess): Promise<void> {
  const [exitCode] = await once(child, 'exit');
  if (exitCode !== 0) throw new Error(`${program} ended with ${exitCode}`);
}

/** As a fleet would ask it: every machine has its own addresses, every kind of request occurs. */
function question(index: number): string {
  const [low, middle, high] = [index & 0xff, (index >>> 8) & 0xff, (index >>> 16) & 0xff];
  const ipv4 = `10.${high}.${middle}.${low}`;
  const ipv6 = `2001:db8:${high.toString(16)}::${(index & 0xffff).toString(16)}`;
  const cloud = [
    { type: 'InternalIP', address: ipv4 },
    { type: 'InternalIP', address: ipv6 },
    { type: 'ExternalIP', address: `198.18.${middle}.${low}` },
    { type: 'Hostname', address: `node-${index}` },
  ];
  const requests = [
    'IPv4',
    'IPv6',
    'IPv4,IPv6',
    ipv4,
    `IPv6,${ipv4}`,
    `${ipv6},${ipv4}`,
    `192.0.2.${low}`,
    null,
  ];
  const annotation = requests[index % requests.length] ?? null;
  return `${JSON.stringify({ name: `node-${index}`, cloud, annotation })}\n`;
}
