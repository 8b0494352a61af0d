// node-postgres: parameters in text, named statements, portals of some rows (pg-cursor), a pool.
'use strict'
const assert = require('node:assert/strict')
const { Client, Pool } = require('pg')
const Cursor = require('pg-cursor')

const QUESTION = 'SELECT region, sex, count(*) AS n FROM people WHERE age >= 18 GROUP BY region, sex ORDER BY region, sex NULLS LAST'

async function check(name, f) {
  try {
    await f()
    console.log(`ok: ${name}`)
  } catch (e) {
    console.log(`failed: ${name}: ${String(e.message).replace(/\s+/g, ' ')}`)
  }
}

async function main() {
  console.log(`version: ${require('pg/package.json').version}, node ${process.versions.node}`)
  const client = new Client()
  const notices = []
  client.on('notice', n => notices.push(n.message))
  await client.connect()
  const all = async (...args) => (await client.query(...args)).rows

  await check('wrong password', () =>
    assert.rejects(new Client({ password: 'wrong' }).connect(), { code: '28P01' }))

  await check('own tables', async () => {
    await client.query('CREATE TABLE node_own (i int, t text, n numeric, b bool, ts timestamptz, a int[], j jsonb, y bytea)')
    const row = [1, 'ä€', '1.50', true, new Date('2024-02-29T01:02:03Z'), [1, 2], { k: [1] }, Buffer.from([0, 255])]
    await client.query('INSERT INTO node_own VALUES ($1, $2, $3, $4, $5, $6, $7, $8)', row)
    assert.deepEqual(Object.values((await all('SELECT * FROM node_own'))[0]), row)
  })

  await check('protected count', async () => {
    const result = await client.query(QUESTION)
    assert.deepEqual(result.fields.map(f => [f.name, f.dataTypeID]), [['region', 25], ['sex', 1043], ['n', 20]])
    console.log('answer: ' + result.rows.map(r => `${r.region}/${r.sex ?? ''}=${r.n}`).join(' '))
  })

  await check('free replay with parameters', async () => {
    // The age is one that no other client asks for: what follows from another's answer is derived from it, not replayed.
    const sql = 'SELECT region, count(*) AS n FROM people WHERE age >= $1 AND region <> $2 AND region = ANY($3) GROUP BY region'
    const args = [23, 'west', ['north', 'south', 'west']]
    const first = await all(sql, args)
    assert.equal(first.length, 2)
    assert.deepEqual(await all(sql, args), first)
    assert.match(notices.at(-1), /free \(answered /)
  })

  await check('named statement', async () => {
    const text = 'SELECT region, count(*) AS n FROM people WHERE age >= $1 GROUP BY region'
    const first = await all({ name: 'counts', text, values: [20] })
    for (let i = 0; i < 6; i++) assert.deepEqual(await all({ name: 'counts', text, values: [20] }), first)
    assert.equal((await all({ name: 'counts', text, values: [40] })).length, 4)
  })

  await check('rows as arrays', async () => {
    assert.equal((await all({ text: QUESTION, rowMode: 'array' }))[0].length, 3)
  })

  await check('results in binary', async () => {
    assert.equal((await all({ text: QUESTION, binary: true })).length, 12)
  })

  await check('several statements in one message', async () => {
    const results = await client.query('SELECT 1 AS one; SELECT sex, count(*) FROM people GROUP BY sex; SELECT 2 AS two')
    assert.deepEqual(results.map(r => r.rowCount), [1, 3, 1])
  })

  await check('portal of some rows', async () => {
    const want = await all(QUESTION)
    const cursor = client.query(new Cursor(QUESTION))
    const got = []
    for (;;) {
      const rows = await cursor.read(5)
      if (rows.length === 0) break
      got.push(...rows)
    }
    await cursor.close()
    assert.deepEqual(got, want)
    const left = client.query(new Cursor(QUESTION))
    await left.read(3)
    await left.close()
    assert.equal((await all('SELECT 1 AS one'))[0].one, 1)
  })

  await check('queries that wait for one another', async () => {
    const results = await Promise.all([1, 2, 3].map(i => client.query('SELECT $1::int AS i, count(*) FROM people', [i])))
    assert.deepEqual(results.map(r => r.rows[0].i), [1, 2, 3])
  })

  await check('refusal', async () => {
    await assert.rejects(client.query('SELECT * FROM people WHERE age > $1', [3]), e => e.code === '42501' && Boolean(e.hint))
    await assert.rejects(client.query('SELECT * FROM people'), { code: '42501' })
    assert.equal((await all('SELECT 1 AS one'))[0].one, 1)
  })

  await check('failed block and savepoint', async () => {
    await client.query('BEGIN')
    await client.query('SAVEPOINT here')
    await assert.rejects(client.query('SELECT name FROM people'), { code: '42501' })
    await assert.rejects(client.query('SELECT 1'), { code: '25P02' })
    await client.query('ROLLBACK TO SAVEPOINT here')
    assert.equal((await all('SELECT sex, count(*) FROM people GROUP BY sex')).length, 3)
    await client.query('COMMIT')
  })

  await check('statement_timeout in the start-up packet', async () => {
    const hurried = new Client({ statement_timeout: 200 })
    await hurried.connect()
    await assert.rejects(hurried.query('SELECT pg_sleep(60)'), { code: '57014' })
    await hurried.end()
  })

  await check('cancel', async () => {
    const pid = client.processID
    const running = assert.rejects(client.query('SELECT pg_sleep(60)'), { code: '57014' })
    const again = setInterval(() => new Client().cancel(client, client.activeQuery ?? client._activeQuery), 200)
    await running
    clearInterval(again)
    assert.equal(client.processID, pid)
    assert.equal((await all('SELECT 1 AS one'))[0].one, 1)
  })

  await check('notifications', async () => {
    const heard = new Promise(resolve => client.once('notification', n => resolve(n.payload)))
    await client.query('LISTEN node_news')
    await client.query("NOTIFY node_news, 'x'")
    assert.equal(await heard, 'x')
  })

  await check('pool', async () => {
    const pool = new Pool({ max: 3 })
    const results = await Promise.all(Array.from({ length: 9 }, () => pool.query(QUESTION)))
    for (const r of results) assert.deepEqual(r.rows, results[0].rows)
    await pool.end()
  })

  await client.query('DROP TABLE IF EXISTS node_own')
  await client.end()
}

main().catch(e => { console.error(e); process.exit(1) })
