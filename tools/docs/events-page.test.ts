import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { observeManager } from './busy-manager.fixture.ts';
import { eventGroups, renderEvents } from './events-page.ts';

const root = join(import.meta.dirname, '..', '..');

const documented = eventGroups.flatMap(({ controller, events }) =>
  events.map((event) => ({ ...event, controller })),
);

describe('the page of events', () => {
  it('has what a manager says of nodes, with its type and action', async () => {
    const { events } = await observeManager();
    for (const seen of events) {
      const note = documented.find(({ reason }) => reason === seen.reason);
      const where = JSON.stringify(seen);
      assert.ok(note !== undefined, where);
      assert.equal(note.type, seen.type, where);
      assert.equal(note.controller, seen.reportingComponent, where);
      assert.ok(note.actions.includes(seen.action), where);
    }
    const reasons = new Set(events.map(({ reason }) => reason));
    assert.deepEqual([...reasons].toSorted(), [
      'AddressesChanged',
      'CIDRAssigned',
      'CIDRNotAvailable',
      'DeletingNode',
      'FailedToCreateRoute',
      'ForeignProviderID',
      'NoAddressOfFamily',
      'NodeShutdown',
      'Paused',
      'PodCIDROutsidePools',
      'Synced',
    ]);
  });

  it('is complete, because events are made only from declarations', () => {
    const makers = globSync('packages/{controllers,manager}/src/**/*.ts', { cwd: root })
      .filter((path) => !/\.(?:test|fixture)\.ts$/.test(path))
      .filter((path) => /\breportingController\b/.test(readFileSync(join(root, path), 'utf8')));
    assert.deepEqual(makers.toSorted(), [
      'packages/controllers/src/loop/reports.ts',
      'packages/controllers/src/node/node-reports.ts',
    ]);
  });

  it('has a section for each reason, once, with what to do', () => {
    const page = renderEvents();
    const headings = [...page.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading);
    const reasons = documented.map(({ reason }) => reason);
    assert.deepEqual(headings, reasons);
    assert.equal(new Set(reasons).size, reasons.length);
    assert.ok(documented.every(({ remedy }) => remedy !== ''));
  });
});
