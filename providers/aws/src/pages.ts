/** Reads the answers that EC2 gives in pages, which may be shorter than Tandem asks for. */
import { AWSError, requireList } from './failure.ts';
import type { Page } from './sdk/actions.ts';

/** More than a VPC has tables, and than a chunk of instances has pages of one instance. */
const pagesMax = 200;

/** `read` gets the parameter that continues the list; none for the first page. */
export async function readPages<T>(
  action: string,
  read: (next: { readonly NextToken?: string }) => Promise<Page<T>>,
): Promise<readonly T[]> {
  const items: T[] = [];
  let next: { readonly NextToken?: string } = {};
  for (let page = 0; page < pagesMax; page++) {
    const { list, nextToken } = await read(next);
    items.push(...requireList(action, list));
    if (!nextToken) return items;
    next = { NextToken: nextToken };
  }
  throw new AWSError('EC2CallFailed', `${action} of EC2 has over ${pagesMax} pages`);
}
