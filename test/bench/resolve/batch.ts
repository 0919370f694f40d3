/** `explain --batch` as it ships, start line included, on a file of questions: lines per second and peak memory. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Clock, systemEnvironment } from '@tandem/runtime';

const program = join(import.meta.dirname, '..', '..', '..', 'dist', 'kubectl-nodeip.js');
const peakReporter = join(import.meta.dirname, 'peak-reporter', 'main.ts');

export interface BatchFigures {
  readonly linesPerSecond: number;
  readonly peakMiB: number;
}

export async function measureBatch(clock: Clock, lines: number): Promise<BatchFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'tandem-bench-'));
  try {
    const questions = join(folder, 'questions.jsonl');
    await writeFile(
      questions,
      Array.from({ length: lines }, (_, index) => question(index)).join(''),
    );
    await using input = await open(questions, 'r');
    await using output = await open(join(folder, 'answers.jsonl'), 'w');
    const startMs = clock.monotonic();
    const child = spawn(program, ['explain', '--batch'], {
      stdio: [input.fd, output.fd, 'inherit', 'pipe'],
      env: { ...systemEnvironment(), NODE_OPTIONS: `--import=${peakReporter}` },
    });
    const report = child.stdio[3];
    if (report === null || report === undefined || !('read' in report))
      throw new Error('no pipe for the peak');
    const [peak, [exitCode]] = await Promise.all([text(report), once(child, 'exit')]);
    const seconds = (clock.monotonic() - startMs) / 1000;
    if (exitCode !== 0) throw new Error(`${program} ended with ${exitCode}`);
    return { linesPerSecond: Math.round(lines / seconds), peakMiB: Number(peak) / 1024 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
