import { DomSanitizer } from '@angular/platform-browser';
import DOMPurify from 'dompurify';

function show(box: HTMLElement) {
  const word = decodeURIComponent(location.hash.slice(1));
  // ruleid: parapet.javascript.dom-xss-location
  box.innerHTML = `<b>${word}</b>`;
  // ruleid: parapet.javascript.dom-xss-location
  document.write(window.location.search);
  // ok: parapet.javascript.dom-xss-location
  box.innerHTML = DOMPurify.sanitize(word);
  // ok: parapet.javascript.dom-xss-location
  box.textContent = word;
  // ok: parapet.javascript.dom-xss-location
  box.innerHTML = '<b>constant</b>';
}

function tell(frame: Window, secret: object) {
  // ruleid: parapet.javascript.post-message-any-origin
  frame.postMessage(secret, '*');
  // ruleid: parapet.javascript.post-message-any-origin
  window.parent.postMessage({ secret }, '*');
  // ok: parapet.javascript.post-message-any-origin
  frame.postMessage(secret, 'https://app.example.com');
  // ok: parapet.javascript.post-message-any-origin
  frame.postMessage('ready', '*');
}

class Page {
  constructor(private sanitizer: DomSanitizer) {}

  trust(text: string) {
    // ruleid: parapet.typescript.angular-trusted-html
    const html = this.sanitizer.bypassSecurityTrustHtml(text);
    // ruleid: parapet.typescript.angular-trusted-html
    this.sanitizer.bypassSecurityTrustScript(text);
    // ok: parapet.typescript.angular-trusted-html
    const safe = this.sanitizer.bypassSecurityTrustHtml('<b>constant</b>');
    // ok: parapet.typescript.angular-trusted-html
    const clean = this.sanitizer.bypassSecurityTrustHtml(DOMPurify.sanitize(text));
    return [html, safe, clean];
  }
}
