/** Writes the XML of EC2's answers: lists are made of `item` elements, absent values are left out. */
export type XmlValue =
  | string
  | number
  | boolean
  | undefined
  | readonly XmlValue[]
  | { readonly [element: string]: XmlValue };

export function writeXml(
  root: string,
  fields: { readonly [element: string]: XmlValue },
  namespace = '',
): string {
  const attribute = namespace === '' ? '' : ` xmlns="${namespace}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${attribute}>${contentOf(fields)}</${root}>`;
}

function contentOf(value: XmlValue): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map((item) => elementOf('item', item)).join('');
  if (typeof value !== 'object') return escape(String(value));
  return Object.entries(value)
    .map(([name, content]) => elementOf(name, content))
    .join('');
}

function elementOf(name: string, value: XmlValue): string {
  if (value === undefined) return '';
  const content = contentOf(value);
  return content === '' ? `<${name}/>` : `<${name}>${content}</${name}>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
