/** What an XML document has, for comparing two of them: the path of each element that has text, and the text. */
interface XmlLeaf {
  /** Without the root; items of lists have no place in it. */
  readonly path: string;
  readonly text: string;
}

export function xmlLeaves(xml: string): XmlLeaf[] {
  const leaves: XmlLeaf[] = [];
  const open: string[] = [];
  for (const [, end, name = '', empty, text = ''] of xml.matchAll(tagPattern)) {
    if (end) {
      open.pop();
      continue;
    }
    if (!empty) open.push(name);
    if (text.trim() === '') continue;
    const path = open.slice(1).filter((element) => element !== 'item');
    leaves.push({ path: path.join('.'), text: text.trim() });
  }
  return leaves;
}

/** A tag, and the text behind it. */
const tagPattern = /<(\/)?([A-Za-z]\w*)[^<>/]*(?:"[^"]*"[^<>/]*)*(\/)?>([^<]*)/g;
