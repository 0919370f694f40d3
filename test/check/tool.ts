/**
 * Runs one of the installed tools and returns its output. Tools come from this repository's `node_modules` and not
 * from the PATH, so that the check is always the same.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

interface Tool {
  /** The tool's script, relative to `node_modules`. */
  readonly script: string;
  readonly args: readonly string[];
}

export interface ToolResult {
  readonly isOk: boolean;
  readonly output: string;
}

export async function runTool(tool: Tool, root: string): Promise<ToolResult> {
  const script = join(import.meta.dirname, '..', '..', 'node_modules', tool.script);
  if (!existsSync(script)) {
    return { isOk: false, output: `${script} is not there. Run npm ci first.` };
  }
  const child = spawn(process.execPath, [script, ...tool.args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [code, ...outputs] = await Promise.all([exited, text(child.stdout), text(child.stderr)]);
  return { isOk: code === 0, output: outputs.join('').trim() };
}
