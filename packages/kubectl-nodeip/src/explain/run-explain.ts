/** Runs `kubectl nodeip explain`: reads the command line, prints the answer, and returns the exit code. */
import { exitOk, exitRefused } from '../exit-codes.ts';
import type { OpenPorts } from '../live/ports.ts';
import { writeProblems } from '../print/write-problems.ts';
import type { Streams } from '../streams.ts';
import { type Answer, answerNodeIP, answerRequest } from './answer.ts';
import { answerBatch } from './batch.ts';
import { type Command, readCommandLine } from './command-line.ts';
import { kepTables } from './kep-tables.ts';
import { explainHelp } from './options.ts';
import { printAnswer } from './print-answer.ts';

export async function runExplain(
  args: readonly string[],
  { streams, openPorts }: { readonly streams: Streams; readonly openPorts: OpenPorts },
): Promise<number> {
  const command = readCommandLine(args);
  switch (command.kind) {
    case 'help':
      streams.output.write(explainHelp());
      return exitOk;
    case 'kep-tables':
      streams.output.write(kepTables());
      return exitOk;
    case 'invalid':
      return writeProblems(streams, command.problems, 'explain');
    case 'batch':
      return answerBatch(streams, command);
    case 'live': {
      const { explainNode } = await import('./explain-node.ts');
      return explainNode(command, { streams, openPorts });
    }
    case 'single':
      return answerSingle(streams, command);
  }
}

async function answerSingle(
  { output, hasColour }: Streams,
  command: Extract<Command, { kind: 'single' }>,
): Promise<number> {
  const { asked, cloud, rules } = command;
  const answer = answerGiven({ ...rules, cloud }, asked);
  output.write(await printAnswer(answer, { format: command.output, hasColour }));
  return answer.addresses === null ? exitRefused : exitOk;
}

function answerGiven(
  question: Parameters<typeof answerRequest>[0],
  asked: Extract<Command, { kind: 'single' }>['asked'],
): Answer {
  switch (asked.kind) {
    case 'nothing':
      return answerRequest(question, null);
    case 'request':
      return answerRequest(question, { value: asked.value, source: '--request' });
    case 'nodeIP':
      return answerNodeIP(question, asked.value, asked.kubelet);
  }
}
