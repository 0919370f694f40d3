import assert from 'node:assert/strict';
import { readPages } from './pages.ts';

describe('the pages of a list of EC2', () => {
  it('are read up to the last one, empty ones included', async () => {
    const pages = [[1, 2], [], [3]];
    const read = await readPages('DescribeInstances', async ({ NextToken = '0' }) => {
      const page = Number(NextToken);
      return { list: pages[page], nextToken: page === 2 ? '' : String(page + 1) };
    });
    assert.deepEqual(read, [1, 2, 3]);
  });

  it('lead to an error if they never end, or if one has no list', async () => {
    const endless = readPages('DescribeInstances', async () => ({ list: [1], nextToken: 'next' }));
    await assert.rejects(endless, {
      code: 'EC2CallFailed',
      message: 'DescribeInstances of EC2 has over 200 pages',
    });
    const none = readPages('DescribeInstances', async ({ NextToken }) =>
      NextToken === undefined
        ? { list: [1], nextToken: 'next' }
        : { list: undefined, nextToken: undefined },
    );
    await assert.rejects(none, { code: 'EC2CallFailed' });
  });
});
