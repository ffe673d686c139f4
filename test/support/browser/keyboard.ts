import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** So many presses of Tab are more than any way on a page should take. */
const MOST_TABS = 60;

/** How long a dialog or a list may move until it is where it stays. */
const MOVING_MS = 20_000;

interface Stop {
  what: string;
  isSeen: boolean;
  hasRing: boolean;
}

/** Runs in the page: what has the focus, whether it is in sight, and whether something shows that it has it. */
const STOP = `(() => {
  const node = document.activeElement ?? document.body;
  const words = node.getAttribute('aria-label') ?? node.labels?.[0]?.textContent ?? node.textContent ?? '';
  const what = node.tagName.toLowerCase() + ' “' + words.trim().slice(0, 60) + '”';
  if (node === document.body) return { what, isSeen: true, hasRing: true };
  // What is drawn by another element has its ring there: the box of a switch, the bar around a field.
  const drawn = [node, ...(node.parentElement?.children ?? []), node.parentElement, node.parentElement?.parentElement];
  const hasRing = drawn.some((one) => {
    const { outlineStyle, outlineWidth } = one ? getComputedStyle(one) : { outlineStyle: 'none', outlineWidth: '0px' };
    return outlineStyle !== 'none' && outlineWidth !== '0px';
  });
  const { left, right, top, bottom } = node.getBoundingClientRect();
  const middle = (from, to, end) => (Math.max(from, 0) + Math.min(to, end)) / 2;
  const hit = document.elementFromPoint(middle(left, right, innerWidth), middle(top, bottom, innerHeight));
  const isInSight = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
  const isOnTop = hit !== null && (hit.contains(node) || node.parentElement?.contains(hit) === true);
  return { what, isSeen: isInSight && isOnTop, hasRing };
})()`;

/** Somebody who has no mouse: every stop must show that it has the focus, and nothing may hide it. */
export class Keyboard {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Presses keys one right after the other: a sequence must not fall apart because the machine is busy. */
  async press(...keys: string[]): Promise<void> {
    await Promise.all(keys.map((key) => this.page.keyboard.press(key)));
  }

  type = (text: string): Promise<void> => this.page.keyboard.type(text);

  /** Where the focus is, which must be in sight as soon as what moves has come to rest. */
  async stop(): Promise<string> {
    const deadline = performance.now() + MOVING_MS;
    for (;;) {
      const { what, isSeen, hasRing } = await this.page.evaluate<Stop>(STOP);
      if (isSeen && hasRing) return what;
      assert.ok(isSeen || performance.now() < deadline, `${what} has the focus and cannot be seen`);
      assert.ok(hasRing || performance.now() < deadline, `${what} has the focus and nothing shows it`);
    }
  }

  /** Goes on by Tab to a control, past all that lie between. */
  async tabTo(goal: Locator): Promise<void> {
    await goal.first().waitFor({ state: 'attached' });
    const passed: string[] = [];
    for (let tabs = 0; tabs < MOST_TABS; tabs++) {
      await this.press('Tab');
      passed.push(await this.stop());
      if (await this.#has(goal)) return;
    }
    assert.fail(`Tab does not lead to ${goal}: ${passed.join(', ')}`);
  }

  /** Waits until the page itself has put the focus there. */
  async isAt(goal: Locator): Promise<void> {
    await goal.and(this.page.locator(':focus')).waitFor();
    await this.stop();
  }

  /** Waits until the page itself has put the focus into a dialog or a menu. */
  async isIn(frame: Locator): Promise<void> {
    const inside = this.page.locator(':focus');
    await frame.locator(inside).or(frame.and(inside)).first().waitFor({ state: 'attached' });
  }

  async #has(goal: Locator): Promise<boolean> {
    return (await goal.and(this.page.locator(':focus')).count()) > 0;
  }
}
