// Pages work without this script. It adds a button that copies what can be asked again, and a slider over the rows of a table of points.
'use strict';

// copyTo has a text in the clipboard; where the browser gives none, it is selected, and copied as by hand.
async function copyTo(source) {
  try {
    await navigator.clipboard.writeText(source.textContent);
    return true;
  } catch {
    const range = document.createRange();
    range.selectNodeContents(source);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    return document.execCommand('copy');
  }
}

for (const source of document.querySelectorAll('[data-copy]')) {
  const row = document.createElement('p'), button = document.createElement('button'), said = document.createElement('span');
  row.className = 'copying';
  button.type = 'button';
  button.textContent = source.dataset.copy;
  said.setAttribute('role', 'status');
  button.addEventListener('click', async () => {
    said.textContent = await copyTo(source) ? 'Copied.' : 'Selected: copy it with the keyboard.';
  });
  row.append(button, ' ', said);
  source.after(row);
}

// A table of points has a row for each epsilon. The slider chooses one of them, which is shown beside it in words and marked in the table.
document.querySelectorAll('table[data-slide]').forEach((table, number) => {
  const names = [...table.querySelectorAll('thead th')].map((head) => head.textContent.trim());
  const rows = [...table.querySelectorAll('tbody tr')];
  if (rows.length < 2) return;
  const box = document.createElement('div'), label = document.createElement('label'), range = document.createElement('input'), list = document.createElement('dl');
  box.className = 'slide';
  label.htmlFor = range.id = 'slide' + number;
  label.textContent = table.dataset.slide;
  Object.assign(range, {type: 'range', min: 0, max: rows.length - 1, step: 1, value: Math.max(0, rows.findIndex((row) => row.className === 'today'))});
  const show = () => {
    const cells = [...rows[range.value].children].map((cell) => cell.textContent.trim().replace(/\s+/g, ' '));
    range.setAttribute('aria-valuetext', names[0] + ' ' + cells[0]);
    rows.forEach((row, i) => row.classList.toggle('chosen', i === Number(range.value)));
    list.replaceChildren(...names.flatMap((name, i) => {
      const term = document.createElement('dt'), text = document.createElement('dd');
      term.textContent = name;
      text.textContent = cells[i];
      return [term, text];
    }));
  };
  range.addEventListener('input', show);
  show();
  box.append(label, range, list);
  table.parentElement.before(box);
});
