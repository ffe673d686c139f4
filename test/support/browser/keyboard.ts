import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** More presses of Tab than any control on a page should need. */
const MOST_TABS = 60;

/** How long a dialog or a list may be animated. */
const MOVING_MS = 20_000;

interface Stop {
  what: string;
  isSeen: boolean;
  hasRing: boolean;
}

/** Runs in the page: the focused element, whether it is visible, and whether it has a focus ring. */
const STOP = `(() => {
  const node = document.activeElement ?? document.body;
  const words = node.getAttribute('aria-label') ?? node.labels?.[0]?.textContent ?? node.textContent ?? '';
  const what = node.tagName.toLowerCase() + ' “' + words.trim().slice(0, 60) + '”';
  if (node === document.body) return { what, isSeen: true, hasRing: true };
  // Some elements draw the ring on another element: the box of a switch, the bar around a field.
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

/** A user without a mouse: every focused element must be visible and have a focus ring. */
export class Keyboard {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Presses keys without a pause, so that a key sequence does not time out on a busy machine. */
  async press(...keys: string[]): Promise<void> {
    await Promise.all(keys.map((key) => this.page.keyboard.press(key)));
  }

  type = (text: string): Promise<void> => this.page.keyboard.type(text);

  /** Checks that the focused element is visible once animations have ended, and returns it. */
  async stop(): Promise<string> {
    const deadline = performance.now() + MOVING_MS;
    for (;;) {
      const { what, isSeen, hasRing } = await this.page.evaluate<Stop>(STOP);
      if (isSeen && hasRing) return what;
      assert.ok(isSeen || performance.now() < deadline, `${what} has the focus but is not visible`);
      assert.ok(hasRing || performance.now() < deadline, `${what} has the focus but no focus ring`);
    }
  }

  /** Presses Tab until a control has the focus. */
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

  /** Waits until the page has moved the focus to an element. */
  async isAt(goal: Locator): Promise<void> {
    await goal.and(this.page.locator(':focus')).waitFor();
    await this.stop();
  }

  /** Waits until the page has moved the focus into a dialog or a menu. */
  async isIn(frame: Locator): Promise<void> {
    const inside = this.page.locator(':focus');
    await frame.locator(inside).or(frame.and(inside)).first().waitFor({ state: 'attached' });
  }

  async #has(goal: Locator): Promise<boolean> {
    return (await goal.and(this.page.locator(':focus')).count()) > 0;
  }
}
