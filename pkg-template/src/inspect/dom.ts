// Elements, made without markup: nothing of a paste is ever read as HTML.
type Child = Node | string | undefined | false;

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, string>, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

export const byId = <T extends HTMLElement = HTMLElement>(id: string): T => document.getElementById(id) as T;

/** A button of the page's text size that does one thing. */
export function button(text: string, onClick: () => void): HTMLButtonElement {
  const element = el("button", { type: "button" }, text);
  element.addEventListener("click", onClick);
  return element;
}
