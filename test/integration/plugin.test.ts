/** The kubectl plugin as its guide installs it: the commands of the page, the real kubectl, and another Node.js. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { systemEnvironment } from '@tandem/runtime';
import { findOnPath } from '../support/on-path.ts';
import { useScratch, writeScript } from '../support/scratch.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const guide = join(root, 'docs/guides/use-the-plugin.md');
const question = '--cloud-address=InternalIP=10.0.0.1';

describe('the plugin, installed as its guide says', function () {
  this.timeout(120_000);
  const environment = systemEnvironment();
  /** Of the machine: whatever npm put before it for its scripts is left out. */
  const machinePath = (environment['PATH'] ?? '')
    .split(delimiter)
    .filter((directory) => !directory.includes('node_modules'));
  const home = useScratch();
  let commands: readonly string[];

  before(async function () {
    if (findOnPath('kubectl', environment) === undefined) {
      process.stderr.write('Skipping the plugin below kubectl: there is no kubectl on the PATH.\n');
      this['skipReason'] = 'no kubectl';
      this.skip();
    }
    const page = await readFile(guide, 'utf8');
    commands = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, text = '']) => text);
  });

  /** A block of the guide, in the checkout, by somebody with a home and a PATH of their own. */
  const shell = async (
    text: string,
    path: readonly string[],
  ): Promise<{ exitCode: number; output: string; errors: string }> => {
    const PATH = [join(home(), '.local/bin'), ...path, ...machinePath].join(delimiter);
    const env = { ...environment, HOME: home(), PATH };
    try {
      const { stdout, stderr } = await run('sh', ['-euc', text], { cwd: root, env });
      return { exitCode: 0, output: stdout, errors: stderr };
    } catch (err) {
      assert.ok(err instanceof Error && 'code' in err && 'stdout' in err && 'stderr' in err);
      return {
        exitCode: Number(err.code),
        output: String(err.stdout),
        errors: String(err.stderr),
      };
    }
  };

  /** A directory whose `node` runs nothing, as one that is too old for the sources. */
  const otherNode = async (): Promise<string> => {
    const directory = join(home(), 'other-node');
    await mkdir(directory);
    writeScript(join(directory, 'node'), 'echo "This is another Node.js" >&2', 'exit 99');
    return directory;
  };

  it("runs from the checkout on the checkout's Node.js, whatever the machine has", async () => {
    const [install = '', , one = '', many = ''] = commands;
    assert.match(install, /^npm ci$/m);
    const path = [await otherNode()];
    const installed = await shell(install.replace(/^npm ci$/m, ''), path);
    assert.deepEqual([installed.exitCode, installed.errors], [0, '']);
    assert.match(installed.output, /^Tandem \d+\.\d+\.\d+$/m);

    const answered = await shell(one, path);
    assert.deepEqual([answered.exitCode, answered.errors], [0, '']);
    assert.match(answered.output, /^Result +DS IPv6-primary$/m);
    const refused = await shell(`kubectl nodeip explain --request IPv6 ${question}`, path);
    assert.deepEqual([refused.exitCode, refused.errors], [3, '']);

    if (findOnPath('jq', environment) === undefined) return;
    const batch = await shell(many, path);
    assert.deepEqual([batch.exitCode, batch.errors], [0, '']);
    assert.equal(JSON.parse(batch.output).stack, 'SS IPv4');
  });

  it('says what is missing in a checkout without its Node.js', async () => {
    const copy = join(home(), 'checkout/packages/kubectl-nodeip/bin');
    const launcher = join(root, 'packages/kubectl-nodeip/bin/kubectl-nodeip');
    const place = `mkdir -p '${copy}' && cp '${launcher}' '${copy}' && '${copy}/kubectl-nodeip'`;
    const { exitCode, errors } = await shell(place, [await otherNode()]);
    assert.equal(exitCode, 2);
    assert.match(errors, /^error: \S+\/checkout has no Node\.js installed: run npm ci there$/m);
  });

  it('runs as a bundle on a Node.js of the PATH that is new enough, and says so otherwise', async () => {
    const [, install = '', one = ''] = commands;
    assert.match(install, /^npm run build /m);
    const path = [join(root, 'node_modules/.bin')];
    const installed = await shell(install, path);
    assert.equal(installed.exitCode, 0, installed.errors);
    assert.match(installed.output, /^Tandem \d+\.\d+\.\d+ \(commit [0-9a-f]{40}(-dirty)?\)$/m);
    assert.match((await shell(one, path)).output, /^Result +DS IPv6-primary$/m);

    const version = (await shell('node --version', [])).output;
    if (Number(/^v(\d+)/.exec(version)?.[1]) >= 24) return;
    const old = await shell(`kubectl nodeip explain ${question}`, []);
    assert.deepEqual([old.exitCode, old.output], [2, '']);
    assert.match(
      old.errors,
      /^error: kubectl nodeip requires Node\.js 24 or newer, but this is v\d+\S+:/m,
    );
  });
});
