/** Runs all steps, also after one has failed, and prints a line for each. */
import { inspect, styleText } from 'node:util';
import type { Step } from './steps.ts';
import type { ToolResult } from './tool.ts';

interface CheckPorts {
  readonly root: string;
  readonly print: (line: string) => void;
  readonly nowMs: () => number;
}

/** Returns the exit code of the program. */
export async function runSteps(steps: readonly Step[], ports: CheckPorts): Promise<number> {
  const failed: string[] = [];
  for (const step of steps) {
    const startMs = ports.nowMs();
    const { isOk, output } = await resultOf(step, ports.root);
    const seconds = ((ports.nowMs() - startMs) / 1000).toFixed(1);
    const mark = isOk ? styleText('green', '✔') : styleText('red', '✘');
    ports.print(`${mark} ${step.name.padEnd(10)} ${seconds} s`);
    if (isOk) continue;
    failed.push(step.name);
    ports.print(`\n${output}\n\n${styleText('red', `${step.name}:`)} ${step.whatToDo}\n`);
  }
  if (failed.length > 0) ports.print(`Failed: ${failed.join(', ')}`);
  return failed.length > 0 ? 1 : 0;
}

/** A step that throws has failed as well, and the others still run. */
async function resultOf(step: Step, root: string): Promise<ToolResult> {
  try {
    return await step.run(root);
  } catch (err) {
    return { isOk: false, output: inspect(err) };
  }
}
