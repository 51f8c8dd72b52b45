// Self-made prose in scripts that code and README files do not hold. The first text of each language is learnt from, the second only measured.

/** By language: [learnt from, measured]. */
export const PROSE: Readonly<Record<string, readonly [string, string]>> = {
  english: [
    `You are a careful assistant who helps people with their daily work. Read the whole question before you answer, and think about what the person really needs. If something important is missing, ask one short question instead of guessing. When the answer is simple, give it directly and stop. When a task has several steps, explain briefly what you are going to do, carry it out, and then describe what changed. Never invent facts, names or numbers; say plainly that you do not know. Respect decisions that were made earlier in the conversation, and do not repeat explanations that were already given.
Before making changes, look at the existing structure and follow its conventions. Prefer small, understandable modifications over large rewrites, and keep unrelated parts untouched. Whenever possible, verify the result: run the relevant checks, read their output completely, and report failures honestly, including those that existed before. Avoid unnecessary dependencies and avoid clever solutions where a straightforward one would be sufficient. Documentation should describe behaviour and limitations, not history. If a request could destroy information or affect other people, explain the consequences first and wait for confirmation.
Most customers contact us because a delivery is late, an invoice contains a mistake, or they would like to cancel a reservation. Be friendly and patient, apologize once, and offer a concrete solution. Refunds are possible within fourteen days after the purchase; afterwards only an exchange can be offered. A manager must approve every compensation above fifty dollars. Always confirm the address, the date and the payment method before completing an order, and summarize the agreement at the end of the conversation.`,
    `Yesterday the nightly build failed again, although nobody had changed anything in that part of the project. After some investigation it turned out that a certificate had expired and the download of one package was silently skipped. I renewed it, started the build once more, and everything passed. To prevent this from happening again, I suggest a reminder two weeks before expiry and a clear error message whenever a download is incomplete. Please review the proposal and tell me which of the two you would like to have first.`,
  ],
  chinese: [
    '我们昨天把服务迁移到了新的集群，今天早上发现有两个接口的响应时间明显变长。我先看了日志，没有看到报错，只是数据库连接池经常被占满。请你帮我检查一下配置文件里的最大连接数，如果太小就改成五十，然后重新部署测试环境。部署完以后跑一遍回归测试，把结果写在群里。另外，用户反馈说登录页面在手机上显示不正常，这个问题不急，可以下周再处理。记得不要动生产环境的数据，所有改动都要先经过评审。',
    '这个函数的作用是读取用户上传的文件，并且按照行来统计每个词出现的次数。现在的实现会把整个文件读进内存，文件大的时候程序就会崩溃。我希望改成流式读取，每次只处理一小块，同时保持输出的格式不变。如果遇到编码错误的行，请跳过并且记录行号。完成之后补充三个单元测试：空文件、很大的文件，还有包含中文标点的文件。',
  ],
  japanese: [
    '昨日のリリース以降、管理画面の表示が遅くなったという報告が三件届いています。ログを確認したところ、エラーは出ていませんが、同じクエリが何度も実行されているようです。まずはキャッシュの設定を見直して、それでも改善しなければインデックスを追加してください。テスト環境で動作を確認したあと、結果をこのスレッドに書いてもらえると助かります。本番のデータベースには直接触らないようにお願いします。来週の会議までに原因をまとめておきたいです。',
    'この関数は、ユーザーが入力した文字列を検証して、問題がなければ保存します。空の文字列や長すぎる文字列の場合は、わかりやすいメッセージを返してください。今の実装では例外がそのまま画面に出てしまうので、利用者が困っています。修正したら、テストも三つほど追加してください。コメントは日本語でも英語でもかまいませんが、ファイルの中では統一してください。',
  ],
  korean: [
    '어제 배포한 뒤로 관리자 페이지가 느려졌다는 신고가 세 건 들어왔습니다. 로그를 확인해 보니 오류는 없지만 같은 쿼리가 여러 번 실행되고 있습니다. 먼저 캐시 설정을 다시 살펴보고, 그래도 나아지지 않으면 인덱스를 추가해 주세요. 테스트 환경에서 동작을 확인한 다음 결과를 이 대화방에 남겨 주시면 됩니다. 운영 데이터베이스는 절대로 직접 건드리지 마세요. 다음 주 회의 전까지 원인을 정리해 두고 싶습니다.',
    '이 함수는 사용자가 올린 파일을 한 줄씩 읽어서 단어의 개수를 셉니다. 지금은 파일 전체를 메모리에 올리기 때문에 큰 파일에서는 프로그램이 멈춥니다. 조금씩 읽도록 바꾸되 출력 형식은 그대로 유지해 주세요. 인코딩이 잘못된 줄은 건너뛰고 줄 번호를 기록하면 좋겠습니다. 끝나면 테스트를 세 개 정도 추가해 주세요.',
  ],
  russian: [
    'После вчерашнего обновления страница администратора стала открываться заметно медленнее. Я посмотрел журналы: ошибок нет, но один и тот же запрос выполняется по десять раз подряд. Сначала проверь, пожалуйста, настройки кэша, а если это не поможет, добавь индекс в таблицу заказов. Все изменения сначала проверяем на тестовом стенде и только потом выкладываем. К рабочей базе напрямую не подключайся. До пятницы нужно коротко описать причину и что мы сделали, чтобы это не повторилось.',
    'Эта функция читает файл, который загрузил пользователь, и считает, сколько раз встречается каждое слово. Сейчас она загружает файл целиком в память, поэтому на больших файлах программа падает. Перепиши её так, чтобы чтение шло по частям, а вывод остался прежним. Строки с неверной кодировкой пропускай и записывай их номера. Потом добавь три теста и запусти их.',
  ],
  ukrainian: [
    'Після вчорашнього оновлення сторінка адміністратора почала відкриватися значно повільніше. Я переглянув журнали: помилок немає, але той самий запит виконується багато разів поспіль. Спочатку перевір налаштування кешу, а якщо це не допоможе, додай індекс до таблиці замовлень. Усі зміни спершу перевіряємо на тестовому сервері.',
    'Ця функція читає файл, який завантажив користувач, і рахує, скільки разів трапляється кожне слово. Зараз вона завантажує файл повністю в памʼять, тому на великих файлах програма зупиняється.',
  ],
  thai: [
    'หลังจากอัปเดตระบบเมื่อวานนี้ หน้าจอของผู้ดูแลเปิดช้าลงมาก ผมตรวจดูบันทึกแล้วไม่พบข้อผิดพลาด แต่คำสั่งเดียวกันถูกเรียกซ้ำหลายครั้ง กรุณาตรวจสอบการตั้งค่าแคชก่อน ถ้ายังไม่ดีขึ้นให้เพิ่มดัชนีในตารางคำสั่งซื้อ ทดสอบในระบบทดสอบให้เรียบร้อยก่อนนำขึ้นใช้งานจริง และอย่าแก้ไขฐานข้อมูลจริงโดยตรง ช่วยสรุปสาเหตุให้ด้วยก่อนประชุมสัปดาห์หน้า',
    'ฟังก์ชันนี้อ่านไฟล์ที่ผู้ใช้ส่งขึ้นมาทีละบรรทัดแล้วนับจำนวนคำ ตอนนี้โปรแกรมอ่านไฟล์ทั้งหมดเข้าหน่วยความจำ ไฟล์ใหญ่จึงทำให้โปรแกรมหยุดทำงาน ขอให้แก้เป็นการอ่านทีละส่วนโดยที่รูปแบบผลลัพธ์ยังเหมือนเดิม',
  ],
  arabic: [
    'بعد التحديث الذي جرى أمس أصبحت صفحة الإدارة أبطأ بكثير. راجعت السجلات ولم أجد أخطاء، لكن الاستعلام نفسه يتكرر عشر مرات. من فضلك تحقق أولا من إعدادات الذاكرة المؤقتة، وإذا لم يتحسن الأمر فأضف فهرسا إلى جدول الطلبات. اختبر كل شيء في البيئة التجريبية قبل النشر، ولا تغير قاعدة البيانات الحقيقية مباشرة. نحتاج إلى تقرير قصير عن السبب قبل اجتماع الأسبوع القادم.',
    'تقرأ هذه الدالة الملف الذي يرفعه المستخدم سطرا بعد سطر وتحسب عدد الكلمات. الآن يحمل البرنامج الملف كله في الذاكرة، ولذلك يتوقف عند الملفات الكبيرة. نريد القراءة على أجزاء مع إبقاء شكل النتيجة كما هو.',
  ],
  persian: [
    'از دیروز که نسخهٔ تازه منتشر شد صفحهٔ مدیریت خیلی کند باز می‌شود. گزارش‌ها را دیدم و خطایی نبود، اما یک پرس‌وجو چندین بار تکرار می‌شود. لطفا اول تنظیمات حافظهٔ نهان را بررسی کن و اگر بهتر نشد یک نمایه به جدول سفارش‌ها اضافه کن. همه چیز را پیش از انتشار در محیط آزمایشی امتحان کن.',
    'این تابع پرونده‌ای را که کاربر فرستاده خط به خط می‌خواند و تعداد واژه‌ها را می‌شمارد. برنامه اکنون همهٔ پرونده را در حافظه می‌گذارد و با پرونده‌های بزرگ از کار می‌افتد.',
  ],
  hebrew: [
    'אחרי העדכון של אתמול דף הניהול נפתח לאט מאוד. בדקתי את היומנים ולא מצאתי שגיאות, אבל אותה שאילתה רצה שוב ושוב. בבקשה תבדוק קודם את הגדרות המטמון, ואם זה לא עוזר תוסיף אינדקס לטבלת ההזמנות. כל שינוי נבדק קודם בסביבת הבדיקות. אל תיגע ישירות במסד הנתונים של הייצור.',
    'הפונקציה קוראת קובץ שהמשתמש העלה, שורה אחרי שורה, וסופרת כמה פעמים מופיעה כל מילה. כרגע היא טוענת את כל הקובץ לזיכרון ולכן נופלת בקבצים גדולים.',
  ],
  greek: [
    'Μετά τη χθεσινή ενημέρωση η σελίδα διαχείρισης ανοίγει πολύ αργά. Κοίταξα τα αρχεία καταγραφής και δεν βρήκα σφάλματα, όμως το ίδιο ερώτημα εκτελείται πολλές φορές. Έλεγξε πρώτα τις ρυθμίσεις της κρυφής μνήμης και, αν δεν βοηθήσει, πρόσθεσε ένα ευρετήριο στον πίνακα παραγγελιών. Δοκίμασε τα πάντα στο δοκιμαστικό περιβάλλον πριν τη δημοσίευση.',
    'Η συνάρτηση διαβάζει το αρχείο που ανέβασε ο χρήστης γραμμή προς γραμμή και μετρά πόσες φορές εμφανίζεται κάθε λέξη. Τώρα φορτώνει όλο το αρχείο στη μνήμη και σταματά όταν το αρχείο είναι μεγάλο.',
  ],
  hindi: [
    'कल के अपडेट के बाद से व्यवस्थापक पृष्ठ बहुत धीरे खुल रहा है। मैंने लॉग देखे, कोई त्रुटि नहीं मिली, लेकिन वही क्वेरी बार बार चल रही है। कृपया पहले कैश की सेटिंग जाँचें, और अगर सुधार न हो तो ऑर्डर वाली तालिका में एक इंडेक्स जोड़ें। सब कुछ पहले परीक्षण सर्वर पर चलाकर देखें, उसके बाद ही प्रकाशित करें। असली डेटाबेस को सीधे मत बदलिए।',
    'यह फ़ंक्शन उपयोगकर्ता की भेजी हुई फ़ाइल को एक एक पंक्ति पढ़ता है और हर शब्द की गिनती करता है। अभी पूरी फ़ाइल स्मृति में आ जाती है, इसलिए बड़ी फ़ाइल पर प्रोग्राम रुक जाता है।',
  ],
  vietnamese: [
    'Sau bản cập nhật hôm qua, trang quản trị mở chậm hơn rất nhiều. Tôi đã xem nhật ký và không thấy lỗi nào, nhưng cùng một truy vấn bị gọi lặp lại nhiều lần. Bạn kiểm tra giúp cấu hình bộ nhớ đệm trước, nếu vẫn chậm thì thêm chỉ mục vào bảng đơn hàng. Hãy thử mọi thứ trên máy chủ thử nghiệm trước khi phát hành, và đừng sửa trực tiếp cơ sở dữ liệu thật.',
    'Hàm này đọc từng dòng của tệp do người dùng tải lên và đếm số lần xuất hiện của mỗi từ. Hiện tại chương trình nạp cả tệp vào bộ nhớ nên bị dừng khi tệp quá lớn.',
  ],
  spanish: [
    'Después de la actualización de ayer la página de administración tarda mucho más en abrirse. He mirado los registros y no hay errores, pero la misma consulta se ejecuta diez veces seguidas. Por favor, revisa primero la configuración de la caché y, si no mejora, añade un índice a la tabla de pedidos. Prueba todo en el entorno de pruebas antes de publicarlo y no toques directamente la base de datos de producción.',
    'Esta función lee línea a línea el archivo que sube el usuario y cuenta cuántas veces aparece cada palabra. Ahora carga el archivo entero en memoria y por eso se detiene con los archivos grandes. Añade también tres pruebas.',
  ],
  german: [
    'Seit der gestrigen Aktualisierung öffnet sich die Verwaltungsseite deutlich langsamer. In den Protokollen stehen keine Fehler, aber dieselbe Abfrage wird zehnmal hintereinander ausgeführt. Bitte prüfe zuerst die Einstellungen des Zwischenspeichers und ergänze, falls das nicht hilft, einen Index in der Bestelltabelle. Alle Änderungen werden zuerst in der Testumgebung ausprobiert und erst danach veröffentlicht. Die Produktionsdatenbank darf nicht direkt verändert werden.',
    'Diese Funktion liest die hochgeladene Datei Zeile für Zeile und zählt, wie oft jedes Wort vorkommt. Zurzeit lädt sie die ganze Datei in den Arbeitsspeicher, weshalb das Programm bei großen Dateien abstürzt. Ergänze außerdem drei Tests.',
  ],
};
