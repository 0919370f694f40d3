/**
 * Where the programs come from. Go is a script here, so that a build takes no time and can be held open
 * while something else happens.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '@tandem/runtime';
import { ControlPlaneError } from '../errors.ts';
import { eventually } from '../eventually.ts';
import { run } from '../fixtures/run.ts';
import { useScratch, writeScript } from '../../support/scratch.ts';
import { isRunning } from '../../support/process-state.ts';
import { cacheDirectory, findPrograms } from './find.ts';
import { readMinorRecipe, readRecipe } from './recipe.ts';

describe('the programs of a control plane', function () {
  this.timeout(30_000);
  const scratch = useScratch();

  /** A machine with nothing on its PATH but what a test puts into `bin`. */
  function machine(): Environment {
    return {
      PATH: join(scratch(), 'bin'),
      XDG_CACHE_HOME: join(scratch(), 'cache'),
      TMPDIR: scratch(),
    };
  }

  function find(environment: Environment): Promise<string[]> {
    const sink = { write: (text: string) => said.push(text) };
    return findPrograms(['etcd', 'kube-apiserver'], { environment, sink });
  }
  const said: string[] = [];

  beforeEach(() => {
    said.length = 0;
    mkdirSync(join(scratch(), 'bin'));
  });

  function install(...path: readonly string[]): string {
    mkdirSync(join(scratch(), ...path.slice(0, -1)), { recursive: true });
    return writeScript(join(scratch(), ...path), 'exit 0');
  }

  /**
   * A Go whose builds take as long as the file `hold` is there, are noted in `builds`, and have a
   * compiler running meanwhile.
   */
  function installGo(): void {
    const [hold, builds] = [join(scratch(), 'hold'), join(scratch(), 'builds')];
    writeScript(
      join(scratch(), 'bin', 'go'),
      'PATH=/usr/bin:/bin',
      'case $1 in',
      `  build) if [ -e ${hold} ]; then sleep 600 & echo $! > ${compilerFile()}; fi`,
      `    echo $$ >> ${builds}`,
      `    while [ -e ${hold} ]; do sleep 0.02; done`,
      '    [ -z "$!" ] || kill $!',
      '    while [ "$1" != -o ]; do shift; done',
      '    echo "#!/bin/sh" > $2 && chmod +x $2 ;;',
      'esac',
    );
  }

  const compilerFile = (): string => join(scratch(), 'compiler');
  const builds = (): string[] =>
    existsSync(join(scratch(), 'builds'))
      ? readFileSync(join(scratch(), 'builds'), 'utf8').trim().split('\n')
      : [];
  const leftovers = (): string[] =>
    existsSync(cache()) ? readdirSync(cache()).filter((name) => name.startsWith('building-')) : [];
  const cache = (): string => cacheDirectory(machine(), readRecipe());

  it('come from KUBEBUILDER_ASSETS before the PATH', async () => {
    const assets = [install('assets', 'etcd'), install('assets', 'kube-apiserver')];
    install('bin', 'etcd');
    install('bin', 'kube-apiserver');
    const environment = { ...machine(), KUBEBUILDER_ASSETS: join(scratch(), 'assets') };
    assert.deepEqual(await find(environment), assets);
  });

  it('come from the PATH where KUBEBUILDER_ASSETS lacks them', async () => {
    const etcd = install('assets', 'etcd');
    const apiServer = install('bin', 'kube-apiserver');
    const environment = { ...machine(), KUBEBUILDER_ASSETS: join(scratch(), 'assets') };
    assert.deepEqual(await find(environment), [etcd, apiServer]);
  });

  it('that KUBEBUILDER_ASSETS lacks are named once, in one line', async () => {
    const found = [install('bin', 'etcd'), install('bin', 'kube-apiserver')];
    const assets = join(scratch(), 'asets');
    const environment = { ...machine(), KUBEBUILDER_ASSETS: assets };
    assert.deepEqual(await find(environment), found);
    assert.deepEqual(await find(environment), found);
    const lacked = 'no etcd and no kube-apiserver';
    assert.deepEqual(said, [
      `KUBEBUILDER_ASSETS, ${assets}, has ${lacked} to run; looking elsewhere.\n`,
    ]);
  });

  it('are built with Go once where the machine has none, and a line says so', async () => {
    installGo();
    const first = await find(machine());
    assert.deepEqual(first, [join(cache(), 'etcd'), join(cache(), 'kube-apiserver')]);
    assert.match(said.join(''), /^Building etcd v3\S+, kube-apiserver v1\S+ with Go, once/);
    assert.match(said.join(''), /about five minutes/);
    assert.deepEqual(await find(machine()), first);
    assert.equal(builds().length, 2);
  });

  it('of a given minor are always built, and without Go the error asks only for Go', async () => {
    for (const name of ['etcd', 'kube-apiserver']) install('bin', name);
    const environment = { ...machine(), KUBEBUILDER_ASSETS: join(scratch(), 'bin') };
    const sink = { write: (text: string) => said.push(text) };
    const recipe = readMinorRecipe('1.34');
    const findMinor = (): Promise<string[]> =>
      findPrograms(['etcd', 'kube-apiserver'], { environment, sink, recipe });
    const err = await findMinor().catch((reason: unknown) => reason);
    assert.ok(err instanceof ControlPlaneError);
    assert.match(err.message, /no kube-apiserver or etcd of 1\.34 to run, and no Go/);
    assert.match(err.fix, /^have Go 1\.26\.0 or newer to build them with\.$/);
    installGo();
    const directory = cacheDirectory(environment, recipe);
    assert.match(directory, /kubernetes-v1\.34\./);
    const built = ['etcd', 'kube-apiserver'].map((name) => join(directory, name));
    assert.deepEqual(await findMinor(), built);
  });

  it('are built again after a killed run, which leaves nothing of its build', async () => {
    installGo();
    writeFileSync(join(scratch(), 'hold'), '');
    const killed = run('fixtures/find.ts', { environment: machine() });
    await eventually(() => builds().length === 1);
    // The file is there a moment before its text.
    const compiler = await eventually(() => Number(readFileSync(compilerFile(), 'utf8')) || false);
    assert.ok(isRunning(compiler));
    killed.child.kill('SIGKILL');
    // The build is still held open: it ends with its owner, and so do the compilers it has started.
    await eventually(() => ![Number(builds()[0]), compiler].some(isRunning));
    release();
    assert.equal(existsSync(join(cache(), 'kube-apiserver')), false);
    await find(machine());
    await eventually(() => leftovers().length === 0);
    assert.deepEqual(readdirSync(cache()).toSorted(), ['etcd', 'kube-apiserver']);
  });

  function release(): void {
    rmSync(join(scratch(), 'hold'));
  }

  const refusals: readonly { name: string; prepare: () => Environment; want: RegExp }[] = [
    {
      name: 'there is no Go',
      prepare: machine,
      want: /no Go to build them with/,
    },
    {
      name: 'the cache cannot be written to',
      prepare: () => {
        installGo();
        return { ...machine(), XDG_CACHE_HOME: join(scratch(), 'bin', 'go', 'cache') };
      },
      want: /^etcd cannot be built into .*bin\/go\/cache\/.*: ENOTDIR/,
    },
    {
      name: 'something is where they belong',
      prepare: () => {
        installGo();
        mkdirSync(join(cache(), 'etcd', 'of', 'somebody'), { recursive: true });
        return machine();
      },
      want: /^etcd cannot be built into .*: .*rename/,
    },
    {
      name: 'the Go cannot be run',
      prepare: () => {
        writeFileSync(join(scratch(), 'bin', 'go'), '#!/nonexistent\n', { mode: 0o755 });
        return machine();
      },
      want: /go build failed/,
    },
    {
      name: 'the Go builds nothing',
      prepare: () => {
        writeScript(join(scratch(), 'bin', 'go'), 'exit 0');
        return machine();
      },
      want: /^etcd cannot be built into .*: ENOENT/,
    },
    {
      name: 'the build fails',
      prepare: () => {
        const complaint = 'go: go.mod requires go >= 1.26.0 (running go 1.22.2)';
        writeScript(join(scratch(), 'bin', 'go'), `echo "${complaint}" >&2`, 'exit 1');
        return machine();
      },
      want: /go build failed:\ngo: go\.mod requires go >= 1\.26\.0/,
    },
  ];
  for (const { name, prepare, want } of refusals) {
    it(`are unavailable when ${name}, and the error names the three ways to get them`, async () => {
      const err = await find(prepare()).catch((reason: unknown) => reason);
      assert.ok(err instanceof ControlPlaneError);
      assert.equal(err.code, 'ProgramsUnavailable');
      assert.match(err.message, want);
      assert.deepEqual(leftovers(), []);
      assert.match(err.fix, /KUBEBUILDER_ASSETS.*PATH.*Go 1\.26\.0 or newer/);
    });
  }
});
