"""What a picture of the page must not show: blank panes, text outside its box, poor contrast."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Page

PANES = ("#top", "#people", "#talk", "#world")

OVERFLOWING = """() => {
  const seen = (node) => node.offsetParent !== null && node.getClientRects().length > 0;
  const scrolls = (node) => /auto|scroll/.test(getComputedStyle(node).overflowX);
  const clipped = (node) => {
    for (let one = node; one && one !== document.body; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (style.overflowX !== 'visible' || scrolls(one)) return true;
    }
    return false;
  };
  const out = [];
  for (const node of document.querySelectorAll('#top *, #panes *, #people *, #talk *, #world *')) {
    if (!seen(node) || node.closest('.visually-hidden, .event, .b-carousel, .table, svg')) continue;
    const pane = node.closest('#top, #panes, #people, #room, #thread, #world, #hints, #talk');
    const [box, frame] = [node.getBoundingClientRect(), pane.getBoundingClientRect()];
    const wide = box.right > frame.right + 1.5 || box.left < frame.left - 1.5;
    const spilling = node.scrollWidth > node.clientWidth + 2 && node.clientWidth > 0 && !clipped(node) &&
      getComputedStyle(node).display !== 'inline';
    if (wide || spilling) out.push(`${node.tagName}.${node.className} ${node.textContent.slice(0, 40)}`);
  }
  return out;
}"""

CONTRAST = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
  const light = ([r, g, b]) => {
    const part = (v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const behind = (node) => {
    const layers = [];
    for (let one = node; one; one = one.parentElement) {
      const colour = rgba(getComputedStyle(one).backgroundColor);
      layers.unshift(colour);
      if (colour[3] === 1) break;
    }
    return layers.reduce((under, layer) => over(layer, under), [255, 255, 255, 1]);
  };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const node = text.parentElement;
    if (!text.data.trim() || !node.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (node.closest(':disabled, .declined, noscript, option')) continue;
    const back = behind(node);
    const [a, b] = [light(over(rgba(getComputedStyle(node).color), back)), light(back)].sort((x, y) => y - x);
    const size = parseFloat(getComputedStyle(node).fontSize);
    const bold = Number(getComputedStyle(node).fontWeight) >= 700;
    const needed = size >= 24 || (bold && size >= 18.66) ? 3 : 4.5;
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < needed) poor.push(`${ratio.toFixed(2)} ${node.tagName}.${node.className}: ${text.data.slice(0, 30)}`);
  }
  return [...new Set(poor)];
}"""


async def overflowing(page: Page) -> list[Any]:
    """The elements that stick out of their pane."""
    return await page.evaluate(OVERFLOWING)


async def blank(page: Page) -> list[str]:
    """The panes that are shown and hold no text."""
    found: list[str] = []
    for pane in PANES:
        box = page.locator(pane)
        if await box.is_visible() and not (await box.inner_text()).strip():
            found.append(pane)
    return found
