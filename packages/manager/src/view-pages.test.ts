import assert from 'node:assert/strict';
import { viewPages } from './view-pages.ts';

describe('the data of the controllers', () => {
  const states = [
    { page: 'nodes', want: ['initialised', 'not ours', 'paused', 'refused', 'waiting'] },
    { page: 'pools', want: ['bound', 'gone', 'in doubt', 'reserved', 'waiting'] },
    { page: 'routes', want: ['missing', 'present', 'taken', 'unknown', 'unwanted', 'wrong'] },
  ];
  for (const { page, want } of states) {
    it(`can be filtered by the states of ${page}, and by no others`, () => {
      const pages = viewPages({ view: () => 'standby', leaderText: () => 'a_1' });
      assert.deepEqual(pages.get(page)?.filterValues?.['state']?.toSorted(), want);
    });
  }
});
