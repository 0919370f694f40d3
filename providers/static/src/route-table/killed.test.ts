/** Kills a manager between any two calls to the file system, and starts it again (P7). */
import assert from 'node:assert/strict';
import { MemoryTables } from './memory-tables.fixture.ts';
import {
  aRoutesWorld,
  create,
  node,
  remove,
  replace,
  tableFile,
  tableOf,
} from './routes-world.fixture.ts';
import { formatTable, parseTable } from './table-text.ts';

const start = tableOf('10.244.1.0/24 node-1 10.0.0.1', '10.244.2.0/24 node-1 10.0.0.1');
const batch = [
  create('10.244.3.0/24', node(3)),
  replace('10.244.1.0/24', node(2)),
  remove('10.244.2.0/24'),
];
const end = formatTable(
  parseTable(tableOf('10.244.1.0/24 node-2 10.0.0.2', '10.244.3.0/24 node-3 10.0.0.3')),
);

/** Runs the batch, and kills the manager right before the call with that number. */
async function killedAt(call: number, texts: Map<string, string>): Promise<'killed' | 'done'> {
  const tables = new MemoryTables('/site', texts);
  const { apply } = await aRoutesWorld({ tables });
  let calls = 0;
  return new Promise((resolve, reject) => {
    tables.beforeCall = () => {
      if (calls++ !== call) return;
      resolve('killed');
      // A killed process makes no further calls.
      tables.beforeCall = () => {
        throw new Error('a dead process made a call');
      };
      throw new Error('killed');
    };
    apply(...batch).then(() => resolve('done'), reject);
  });
}

describe('a manager that is killed while it replaces the route table', () => {
  it('leaves the old table or the new one, and its successor completes the new one', async () => {
    let call = 0;
    for (; ; call++) {
      const texts = new Map([[tableFile, start]]);
      const fate = await killedAt(call, texts);
      const text = texts.get(tableFile);
      assert.ok(text === start || text === end, `a kill at call ${call} leaves ${text}`);
      const { apply, list } = await aRoutesWorld({ tables: new MemoryTables('/site', texts) });
      // The table refuses the operations that were done before, and the rest is done now.
      await apply(...batch);
      assert.equal((await list()).length, 2);
      await apply(replace('10.244.1.0/24', node(2)));
      assert.deepEqual([...texts], [[tableFile, end]]);
      if (fate === 'done') break;
    }
    assert.ok(call >= 5, `only ${call} calls were made`);
  });
});
