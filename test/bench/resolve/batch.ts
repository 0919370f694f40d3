/** `explain --batch` as it ships, start line included, on a file of questions: lines per second and peak memory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Clock, systemEnvironment } from '@tandem/runtime';

const program = join(import.meta.dirname, '..', '..', '..', 'dist', 'kubectl-nodeip.js');
const peakReporter = join(import.meta.dirname, 'peak-reporter.mjs');

/** Lines per second from start to end of the process, which is what a person waits for. */
export async function batchLinesPerSecond(clock: Clock, lines: number): Promise<number> {
  return withQuestions(lines, async (streams) => {
    const startMs = clock.monotonic();
    await finished(spawn(program, batch, { stdio: [...streams, 'inherit'] }));
    return Math.round(lines / ((clock.monotonic() - startMs) / 1000));
  });
}

/** The most memory that the process ever held. Measured in a run of its own, which it slows down. */
export async function batchPeakMiB(lines: number): Promise<number> {
  return withQuestions(lines, async (streams) => {
    const child = spawn(program, batch, {
      stdio: [...streams, 'inherit', 'pipe'],
      env: { ...systemEnvironment(), NODE_OPTIONS: `--import=${peakReporter}` },
    });
    const report = child.stdio[3];
    if (!(report instanceof Readable)) throw new Error('there is no pipe for the peak');
    const [peakKiB] = await Promise.all([text(report), finished(child)]);
    return Number(peakKiB) / 1024;
  });
}

const batch = ['explain', '--batch'];

/** Hands over open files: one with so many questions, and a reader of the answers that costs nothing. */
async function withQuestions(
  lines: number,
  measure: (streams: [number, number]) => Promise<number>,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'tandem-bench-'));
  try {
    const questions = join(folder, 'questions.jsonl');
    const texts = Array.from({ length: lines }, (_, index) => question(index));
    await writeFile(questions, texts.join(''));
    await using input = await open(questions, 'r');
    await using output = await open(devNull, 'w');
    return await measure([input.fd, output.fd]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function finished(child: ChildProcess): Promise<void> {
  const [exitCode] = await once(child, 'exit');
  if (exitCode !== 0) throw new Error(`${program} ended with ${exitCode}`);
}

const requests = ['IPv4', 'IPv6', 'IPv4,IPv6', '10.0.0.1', 'IPv6,10.0.0.1', '9.9.9.9', null];

function question(index: number): string {
  const cloud = [
    { type: 'InternalIP', address: '10.0.0.1' },
    { type: 'InternalIP', address: `2001:db8::${(index % 0xffff).toString(16)}` },
    { type: 'ExternalIP', address: `203.0.113.${index % 256}` },
    { type: 'Hostname', address: `node-${index}` },
  ];
  const annotation = requests[index % requests.length] ?? null;
  return `${JSON.stringify({ name: `node-${index}`, cloud, annotation })}\n`;
}
