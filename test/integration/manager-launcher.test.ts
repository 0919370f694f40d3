/** The manager as people start it by its path: on the checkout's Node.js, whatever Node.js the machine has. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, symlink } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { systemEnvironment } from '@tandem/runtime';
import { useScratch, writeScript } from '../support/scratch.ts';

const run = promisify(execFile);
const home = join(import.meta.dirname, '../../packages/manager');

/** Without a server there, the manager waits until it is told to end. */
const unreachable = ['--master=https://127.0.0.1:1', '--secure-port=0'];

describe('the manager, started by its path', function () {
  this.timeout(60_000);
  const scratch = useScratch();
  let program: string;
  let env: Readonly<Record<string, string | undefined>>;

  beforeEach(async () => {
    const { bin } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'));
    program = join(home, bin['cloud-controller-manager']);
    // A `node` that fails, like one that is too old for the sources.
    writeScript(join(scratch(), 'node'), 'echo "This is another Node.js" >&2', 'exit 99');
    const environment = systemEnvironment();
    const machinePath = (environment['PATH'] ?? '')
      .split(delimiter)
      .filter((each) => !each.includes('node_modules'));
    env = { ...environment, PATH: [scratch(), ...machinePath].join(delimiter) };
  });

  it("runs on the checkout's Node.js, through a link too", async () => {
    const link = join(scratch(), 'cloud-controller-manager');
    await symlink(program, link);
    for (const path of [program, link]) {
      const { stdout, stderr } = await run(path, ['--version'], { env });
      assert.equal(stderr, '');
      assert.match(stdout, /^Tandem \d+\.\d+\.\d+$/m);
    }
  });

  it('ends only when a slow reader has its last line', async () => {
    const flags = Array.from({ length: 5_000 }, (_, index) => `--unknown-${index}`);
    const script = '"$0" "$@" 2>&1 | { dd bs=1 count=1 2>/dev/null; sleep 1; cat; }';
    const { stdout } = await run('sh', ['-c', script, program, ...flags], { env });
    assert.match(stdout, /--unknown-4999/);
    assert.match(stdout, /--cloud-provider is required/);
  });

  it('hears a signal that comes while it is still being loaded', async () => {
    const script = `import { registerHooks } from 'node:module';
      registerHooks({
        resolve(specifier, context, next) {
          if (specifier.endsWith('/program.ts')) process.kill(process.pid, 'SIGTERM');
          return next(specifier, context);
        },
      });`;
    const { stderr } = await run(program, ['--cloud-provider=simulated', ...unreachable], {
      env: { ...env, NODE_OPTIONS: importing(script) },
    });
    assert.match(stderr, /"Stopping: .* reason="Received SIGTERM"/);
    assert.match(stderr, /"Stopped"\n$/);
  });

  it('fails when it cannot be loaded', async () => {
    const script = `import { registerHooks } from 'node:module';
      registerHooks({
        resolve(specifier, context, next) {
          return next(specifier.replace('/program.ts', '/missing.ts'), context);
        },
      });`;
    const options = { env: { ...env, NODE_OPTIONS: importing(script) } };
    await assert.rejects(run(program, ['--version'], options), {
      code: 1,
      stderr: /^error: uncaught error: .*missing\.ts/,
    });
  });

  it('says what is missing in a checkout without its Node.js', async () => {
    const bin = join(scratch(), 'checkout/packages/manager/bin');
    await mkdir(bin, { recursive: true });
    const copy = join(bin, 'cloud-controller-manager');
    await copyFile(program, copy);
    await assert.rejects(run(copy, ['--version'], { env }), {
      code: 2,
      stderr: /^error: \S+\/checkout has no Node\.js installed: run npm ci there$/m,
    });
  });
});

/** For Node.js: a script that runs before the program. */
function importing(script: string): string {
  return `--import=data:text/javascript,${encodeURIComponent(script)}`;
}
